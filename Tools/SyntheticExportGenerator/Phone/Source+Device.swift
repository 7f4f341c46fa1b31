extension Source {
    /// The versions through which the source went, oldest first.
    var versions: [String] {
        switch self {
        case .oldWatch: ["8.7", "9.1", "9.3", "9.6.3", "10.1.1"]
        case .watch: ["10.2", "10.4", "10.6.1", "11.1", "11.3", "11.5"]
        case .phone: ["15.6.1", "16.1", "16.3.1", "16.6", "17.1.2", "17.4.1", "17.6.1", "18.1", "18.3.2", "18.5"]
        case .health: ["16.6", "17.4.1", "18.1"]
        case .scale: ["5110300", "5170201", "5240002"]
        case .sportsApp: ["312.0.0", "340.1.0", "355.2.1"]
        case .glucoseMeter: ["4.12"]
        case .pressureMonitor: ["2.0.4", "2.3.0"]
        case .foodDiary: ["9.41", "10.2"]
        case .mindfulApp: ["1.8"]
        case .sleepApp: ["3.3.1", "3.5.0"]
        }
    }

    /// The device text between the object address and the closing bracket; nil for sources that state no device.
    ///
    /// - Parameter creationDate: the last field that newer systems print, or nil.
    func device(version: Int, creationDate: String?) -> String? {
        let software = versions[version]
        let extra = creationDate.map { ", creation date:\($0)" } ?? ""
        func apple(_ name: String, _ model: String, _ hardware: String) -> String {
            "name:\(name), manufacturer:Apple Inc., model:\(model), hardware:\(hardware), software:\(software)\(extra)"
        }
        switch self {
        case .oldWatch: return apple("Apple Watch", "Watch", "Watch5,4")
        case .watch: return apple("Apple Watch", "Watch", "Watch7,3")
        case .phone: return apple("iPhone", "iPhone", "iPhone13,2")
        case .scale:
            return "name:Librata Body, manufacturer:Librata, model:0x200e, firmware:\(software), "
                + "localIdentifier:5C:EE:7A:00:41:D2-librata\(extra)"
        case .glucoseMeter, .pressureMonitor:
            return "name:\(self == .glucoseMeter ? "Glucolog" : "Cuffline"), manufacturer:Invented Devices, "
                + "model:M2, UDIDeviceIdentifier:00812345678902\(extra)"
        case .health, .sportsApp, .foodDiary, .mindfulApp, .sleepApp:
            return nil
        }
    }

    /// True for the watches, whose workout samples HealthKit condenses.
    var isWatch: Bool { self == .oldWatch || self == .watch }

    var isThirdParty: Bool { rawValue >= Source.scale.rawValue }
}
