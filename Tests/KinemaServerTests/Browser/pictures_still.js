// Runs before the scripts of a page: nothing in it depends on time, chance or a connection.
(() => {
  const now = Date.parse("2026-11-20T14:05:11Z");
  const Plain = Date;
  window.Date = class extends Plain {
    constructor(...values) {
      super(...(values.length > 0 ? values : [now]));
    }
    static now() { return now; }
  };
  const clock = 100000;
  performance.now = () => clock;
  const paint = requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (draw) => paint(() => draw(clock));
  // What vanishes by itself stays.
  const later = window.setTimeout.bind(window);
  window.setTimeout = (run, delay = 0, ...values) => later(delay < 3000 ? run : () => {}, delay, ...values);
  Math.random = () => 0.5;
  speechSynthesis.getVoices = () => [];

  const still = new CSSStyleSheet();
  still.replaceSync("*, *::before, *::after { animation: none !important; transition: none !important;"
    + " caret-color: transparent !important; scroll-behavior: auto !important;"
    + " content-visibility: visible !important; }");
  document.adoptedStyleSheets = [still];

  // A server that says what the step says.
  window.kinemaSent = [];
  window.WebSocket = class {
    static OPEN = 1;
    static CLOSING = 2;
    readyState = 0;
    bufferedAmount = 0;
    constructor() {
      window.kinemaSocket = this;
      setTimeout(() => {
        this.readyState = 1;
        this.onopen?.({});
      });
    }
    addEventListener() {}
    send(data) {
      if (typeof data === "string") window.kinemaSent.push(JSON.parse(data).type);
    }
    close() { this.readyState = 3; }
  };
  window.kinemaGive = (...messages) => {
    for (const message of messages) window.kinemaSocket.onmessage({ data: JSON.stringify(message) });
  };
  // A picture of the server: its number, and the JPEG in base64.
  window.kinemaShow = (number, text) => {
    const jpeg = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const data = new ArrayBuffer(16 + jpeg.length);
    const view = new DataView(data);
    view.setUint32(0, 0x3152464b, true);
    view.setUint32(4, number, true);
    view.setFloat64(8, clock, true);
    new Uint8Array(data).set(jpeg, 16);
    window.kinemaSocket.onmessage({ data });
  };
})();
