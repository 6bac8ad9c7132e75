import AccessoryFiles
import AccessoryModel
import Documents
import Testing

@testable import Hosting

/// The result of editing a file while it is served.
@Suite struct FileReloadTests {
    private func reading(_ text: String) -> Result<AccessoryFileContents, DocumentError> {
        do throws(DocumentError) {
            return .success(try AccessoryFile.read(Array(text.utf8), name: "lamp.yaml"))
        } catch {
            return .failure(error)
        }
    }

    private func reload(_ old: String, _ new: String) throws -> ReloadResult {
        let document = try reading(old).get().document
        let served = HostedContent.File(
            path: "lamp.yaml",
            document: document,
            startDocument: document,
            isSimulated: true,
            changeDetector: FileChangeDetector([])
        )
        return ReloadResult(of: served, FileChangeDetector([]), reading(new))
    }

    private static let lamp = "accessory: Lamp\nservices:\n  - type: Lightbulb\n"

    @Test func validFileIsServed() throws {
        let reload = try reload(Self.lamp, Self.lamp + "    characteristics: { Hue: 3 }\n")
        #expect(reload.lines == [])
        #expect(reload.file?.isSimulated == true)
        let lamp = try #require(reload.file?.document.accessories.first?.services.last)
        #expect(lamp.characteristics.contains { $0.type == .hue })
    }

    @Test func invalidFileIsReportedAndTheOldOneServed() throws {
        let reload = try reload(Self.lamp, Self.lamp + "    nmae: x\n    hiden: true\n")
        #expect(reload.file == nil)
        #expect(reload.lines.count == 3)
        #expect(reload.lines[0].hasPrefix("lamp.yaml:4:5: services[0].nmae: "))
        #expect(reload.lines[2] == "lamp.yaml is not reloaded; the previous version stays.")
    }

    @Test func commentChangeIsNoChange() throws {
        let reload = try reload(Self.lamp, "# a comment\n" + Self.lamp)
        #expect(reload.file == nil)
        #expect(reload.lines == ["lamp.yaml has the same content as before."])
    }

    @Test func otherKeyIsAnotherAccessory() throws {
        let reload = try reload(Self.lamp, Self.lamp.replacing("Lamp", with: "Light"))
        #expect(reload.file == nil)
        #expect(reload.lines.count == 1)
        #expect(reload.lines[0].contains("with the id \"Light\" it is another accessory; restart 'hap serve'"))
    }

    @Test func revertedEditIsNotReported() throws {
        let started = try reading(Self.lamp).get().document
        let edited = try reading("setupCode: 101-48-005\n" + Self.lamp).get().document
        let served = HostedContent.File(
            path: "lamp.yaml",
            document: edited,
            startDocument: started,
            isSimulated: true,
            changeDetector: FileChangeDetector([])
        )
        let reload = ReloadResult(of: served, FileChangeDetector([]), reading(Self.lamp))
        #expect(reload.file?.document == started)
        #expect(reload.notes == [])
    }

    @Test func firstStartSettingIsReported() throws {
        for line in ["deviceID: 11:22:33:44:55:66", "setupID: 7OSX", "configuration: 7"] {
            let reload = try reload(Self.lamp, "\(line)\n" + Self.lamp)
            #expect(reload.file != nil)
            #expect(reload.lines == [])
            #expect(reload.notes.count == 1)
            #expect(reload.notes[0].contains("are used only at the first start; run 'hap reset'"))
        }
    }

    @Test func nextStartSettingIsReported() throws {
        let reload = try reload(
            "id: lamp\n" + Self.lamp,
            "id: lamp\ncategory: Fan\nsetupCode: 101-48-005\n" + Self.lamp
        )
        #expect(reload.file != nil)
        #expect(reload.lines == [])
        #expect(reload.notes == ["lamp.yaml: restart 'hap serve' to change its category, its setup code."])
    }

    @Test func newNameIsServedNowAndAnnouncedAtTheNextStart() throws {
        let reload = try reload("id: lamp\n" + Self.lamp, "id: lamp\n" + Self.lamp.replacing("Lamp", with: "Light"))
        #expect(reload.file?.document.name == "Light")
        #expect(reload.notes == ["lamp.yaml: restart 'hap serve' to change its name on the network."])
    }
}
