import Foundation
import KinemaPose
import KinemaReport
import Testing

@Suite("The page of form")
struct FormPageTests {
  private typealias Verdict = FormPage.Value.Verdict

  private func repetition(
    _ title: String, _ verdict: Verdict, cue: String? = nil, values: [FormPage.Value] = [],
    picture: SkeletonPicture = SkeletonPicture(aspectRatio: 1, pose: nil)
  ) -> FormPage.Repetition {
    FormPage.Repetition(
      title: title, times: 61.25...63, cue: cue, verdict: verdict, values: values, picture: picture)
  }

  private func page(_ clips: [FormPage.Clip]) throws -> PageDocument {
    try PageDocument(FormPage(clips, sources: ["First (2020)", "Second <b>"]).html)
  }

  @Test("the figures count the repetitions of all files by verdict")
  func figures() throws {
    let page = try page([
      .init(
        name: "a.mp4",
        repetitions: [
          repetition("1", .good), repetition("2", .good), repetition("3", .fault, cue: "Lower."),
        ]),
      .init(
        name: "b.mp4",
        repetitions: [
          repetition("1", .borderline), repetition("2", .unseen), repetition("3", .partly),
        ]),
    ])
    #expect(
      page.tiles == [
        "Repetitions": "6", "Good": "2", "Partly seen": "1", "With a cue": "1", "Borderline": "1",
        "Unseen": "1",
      ])
    #expect(page.all("h1").map(\.text) == ["2 files"])
    #expect(page.sections == ["a.mp4", "b.mp4"])
    #expect(page.all("figure", "form").count == 6)
  }

  @Test("one file names the page")
  func oneFile() throws {
    let page = try page([.init(name: "a & b.mp4", repetitions: [])])
    #expect(page.all("h1").map(\.text) == ["a & b.mp4"])
    #expect(page.tiles["Repetitions"] == "0")
  }

  @Test("a repetition has its times, its cue, and its values with their limits")
  func card() throws {
    let values = [
      FormPage.Value(name: "knee angle", value: "131°", limit: "below 110°", verdict: .fault),
      FormPage.Value(name: "trunk", value: "–", limit: "above 40°", verdict: .unseen),
    ]
    let page = try page([
      .init(
        name: "a.mp4",
        repetitions: [repetition("Squat 1", .fault, cue: "Go lower.", values: values)])
    ])
    let card = try #require(page.all("figure", "form").first)
    #expect(card.all("strong").map(\.text) == ["Squat 1"])
    #expect(card.all("span").map(\.text) == ["1:01.3 – 1:03.0"])
    #expect(card.all("p", "cue").map(\.text) == ["Go lower."])
    #expect(card.all("p", "cue").first?.classes.contains("fault") == true)
    #expect(
      card.all("tr").map { $0.children.map(\.text) }
        == values.map { [$0.name, $0.value, $0.limit] })
    #expect(card.all("tr").map(\.classes) == [["fault"], ["unseen"]])
  }

  @Test(
    "without a cue the verdict is named",
    arguments: [
      ("good", "Good"), ("borderline", "Borderline"), ("unseen", "Can't be seen from here"),
      ("partly", "Partly seen"),
    ])
  func verdicts(name: String, words: String) throws {
    let verdict = try #require(Verdict(rawValue: name))
    let page = try page([.init(name: "a", repetitions: [repetition("1", verdict)])])
    let cue = try #require(page.all("p", "cue").first)
    #expect(cue.text == words && cue.classes == ["cue", Substring(name)])
  }

  @Test("the picture has the limbs at their places, its origin at the upper left")
  func picture() throws {
    let limb = (start: SIMD2<Float>(0, 0), end: SIMD2<Float>(0.5, 0.75))
    let jpeg = Data([255, 216, 255])
    let page = try page([
      .init(
        name: "a",
        repetitions: [
          repetition(
            "Lunge 4", .good, picture: SkeletonPicture(jpeg: jpeg, aspectRatio: 2, limbs: [limb]))
        ])
    ])
    let drawing = try #require(page.all("svg", "skeleton").first)
    #expect(drawing.attributes["viewBox"] == "0 0 800.000 400.000")
    #expect(drawing.attributes["aria-label"] == "Lunge 4 at its turning point")
    let line = try #require(drawing.all("line").first)
    #expect(["x1", "y1", "x2", "y2"].map { line.number($0) } == [0, 400, 400, 100])
    let image = try #require(drawing.all("image").first)
    #expect(image.attributes["href"] == "data:image/jpeg;base64,\(jpeg.base64EncodedString())")
    #expect(image.number("width") == 800 && image.number("height") == 400)
  }

  @Test("the skeleton of a pose has the limbs of which both ends were found")
  func skeleton() {
    let ends: [JointKey: JointPoint] = [
      .leftHip: JointPoint(.leftHip, position: SIMD2(0.4, 0.5), confidence: 1),
      .leftKnee: JointPoint(.leftKnee, position: SIMD2(0.4, 0.3), confidence: 1),
    ]
    let picture = SkeletonPicture(aspectRatio: 1, pose: Pose(from: ends))
    #expect(picture.jpeg == nil && picture.limbs.count == 1)
    let heights = Set(picture.limbs.flatMap { [$0.start.y, $0.end.y] })
    #expect(heights == [0.5, 0.3])
    #expect(SkeletonPicture(aspectRatio: 1, pose: nil).limbs.isEmpty)
  }

  @Test("the sources of the rules are named below")
  func sources() throws {
    let footer = try #require(page([]).all("footer").first)
    #expect(footer.text.contains("First (2020) Second <b>"))
  }
}
