extension EvaluationPage {
  static let style: HTML = """
    :root{--back:#fafaf8;--card:#fff;--ink:#1c2024;--soft:#626a73;--edge:#e3e4e0;--accent:#2f6fcb;
    --second:#d9772b;--good:#2c8a5b;--bad:#cf3b3b;--good-rgb:24,88,158;--bad-rgb:214,69,56;
    --track:#eceeec}
    @media (prefers-color-scheme:dark){:root{--back:#14171a;--card:#1c2024;--ink:#e8eaec;
    --soft:#9aa3ac;--edge:#2e343a;--accent:#6ea8f7;--second:#f0a25c;--good:#62c794;--bad:#f07070;
    --good-rgb:74,144,226;--bad-rgb:226,88,78;--track:#2a3036}}
    *{box-sizing:border-box}
    body{margin:0;background:var(--back);color:var(--ink);
    font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;
    font-variant-numeric:tabular-nums}
    main{max-width:1080px;margin:0 auto;padding:40px 24px 64px}
    .kicker{margin:0;color:var(--soft);font-size:13px;letter-spacing:.02em}
    h1{margin:2px 0 4px;font-size:30px;line-height:1.2;letter-spacing:-.01em;overflow-wrap:anywhere}
    .sub{margin:0;color:var(--soft);overflow-wrap:anywhere}.sub b{color:var(--ink);font-weight:600}
    h2{margin:0 0 2px;font-size:18px}
    section{margin-top:20px;padding:20px 22px;background:var(--card);border:1px solid var(--edge);
    border-radius:12px}
    .hint{margin:0 0 14px;color:var(--soft);font-size:13.5px}
    .tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:12px;
    margin:24px 0 0}
    .tile{padding:14px 16px;background:var(--card);border:1px solid var(--edge);border-radius:12px}
    .tile dt{color:var(--soft);font-size:13px}
    .tile dd{margin:0;font-size:25px;font-weight:650;letter-spacing:-.01em}
    .tile dd.note{font-size:12.5px;font-weight:400;letter-spacing:0;color:var(--soft);
    overflow-wrap:anywhere}
    .tile.first{background:var(--accent);border-color:var(--accent)}
    .tile.first dt,.tile.first dd,.tile.first dd.note{color:#fff}
    @media (prefers-color-scheme:dark){.tile.first{background:#2b5fae;border-color:#2b5fae}}
    .scroll{overflow-x:auto}
    table{border-collapse:collapse;width:100%}
    th,td{padding:6px 10px;text-align:left;font-weight:400}
    thead th{color:var(--soft);font-size:13px;border-bottom:1px solid var(--edge)}
    tbody tr+tr>*{border-top:1px solid var(--edge)}
    .classes th[scope=row]{min-width:130px;max-width:260px;overflow-wrap:anywhere;font-weight:550}
    .swatch{display:inline-block;width:10px;height:10px;border-radius:3px;margin-right:7px;
    flex:none}
    .number{white-space:nowrap}
    .bar{display:inline-block;vertical-align:middle;width:84px;height:8px;border-radius:4px;
    background:var(--track);overflow:hidden;margin-right:9px}
    .bar i{display:block;height:100%;border-radius:4px}
    .bar.thin{width:56px}.bar.thin i{background:var(--soft)}
    .value{display:inline-block;min-width:58px}
    .right{text-align:right}.mistakes th:last-child{text-align:right}
    .matrix{width:auto;border-spacing:2px;border-collapse:separate}
    .matrix td,.matrix thead th{border:0;text-align:center;padding:7px 8px;min-width:104px;
    border-radius:6px}
    .matrix tbody tr+tr>*{border:0}
    .matrix th span{display:inline-flex;align-items:center;max-width:170px;overflow:hidden;
    text-overflow:ellipsis;white-space:nowrap}
    .matrix th[scope=row]{font-weight:550}
    .matrix td b{display:block;font-weight:600;line-height:1.25}
    .matrix td small{display:block;opacity:.75;font-size:11.5px;line-height:1.2}
    .matrix td.strong{color:#fff}.matrix td.none{color:var(--soft);background:var(--track)}
    .matrix thead td{background:none}
    .pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(340px,1fr));gap:20px;
    align-items:center}
    .chart{width:100%;height:auto;max-width:520px}
    .chart text{fill:var(--soft);font-size:12px}
    .chart .grid{stroke:var(--edge);fill:none}
    .line{fill:none;stroke-width:2;stroke-linejoin:round}
    .line.training{stroke:var(--accent)}.line.validation{stroke:var(--second)}
    .best,.ideal{stroke:var(--soft);fill:none;stroke-dasharray:3 4}
    .reliable{fill:var(--accent)}.gap{fill:var(--bad);opacity:.38}
    .key{display:inline-block;width:18px;height:3px;border-radius:2px;vertical-align:middle;
    margin:0 6px 0 10px}
    .key.training{background:var(--accent);margin-left:0}.key.validation{background:var(--second)}
    .facts p{margin:0 0 12px;color:var(--soft);max-width:42ch}
    .facts b{color:var(--ink);font-size:19px;font-weight:650;margin-right:3px}
    .mistakes svg{display:block;height:112px;max-width:200px}
    .mistakes .file{max-width:300px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
    .time{white-space:nowrap;color:var(--soft)}
    .legend{display:flex;flex-wrap:wrap;gap:4px 18px;margin:0 0 16px;font-size:13.5px}
    .strip{margin:0 0 18px}
    .strip figcaption{display:flex;justify-content:space-between;gap:16px;font-size:13.5px;
    margin-bottom:3px}
    .strip figcaption span:first-child{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
    .strip .wrong{color:var(--bad)}.fine{color:var(--good)}
    .strip figcaption span:last-child{flex:none}
    .lane{position:relative;margin-bottom:2px;border-radius:4px;background:var(--track);
    overflow:hidden}
    .lane>*{position:absolute;top:0;bottom:0;border-right:1px solid var(--card)}
    .truth{height:16px}.best.lane{height:28px}.second{height:9px}.third{height:5px}
    .truth i{color:#fff;font-style:normal;font-size:11px;line-height:16px;padding-left:6px;
    overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
    .lane b{font-weight:500;font-size:12px;line-height:28px;overflow:hidden}
    .lane b i{position:absolute;inset:0}
    .lane b span{position:relative;display:block;padding:0 6px;overflow:hidden;
    text-overflow:ellipsis;white-space:nowrap;color:#fff;text-shadow:0 0 3px rgba(0,0,0,.55)}
    .lane b.wrong::after{content:"";position:absolute;left:0;right:0;bottom:0;height:4px;
    background:var(--bad);box-shadow:0 -1px 0 var(--card)}
    .times{display:flex;justify-content:space-between;color:var(--soft);font-size:11.5px}
    footer{margin-top:24px;color:var(--soft);font-size:12.5px}
    """
}
