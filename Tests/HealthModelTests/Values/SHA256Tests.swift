internal import Basics
internal import HealthModel
internal import Testing

/// libcrypto is called as FIPS 180-4 and RFC 2104 say: published vectors.
@Suite struct SHA256Tests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func vectors(text: String, digest: String) {
        #expect(Digest256(hashing: text).hex == digest)
        var parts = SHA256()
        for byte in text.utf8 {
            _ = parts.finalize()
            parts.update([byte])
        }
        #expect(parts.finalize().hex == digest)
    }

    @Test("RFC 4231, cases 1 and 2; the prefix stands before the text")
    func authenticationCodes() {
        let first = HMACSHA256(key: [UInt8](repeating: 0x0B, count: 20), prefix: "Hi ")
        let second = HMACSHA256(key: Array("Jefe".utf8), prefix: "")
        #expect(
            Array("There".utf8).withByteView { first.code(for: $0) }.hex
                == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
        #expect(
            Array("what do ya want for nothing?".utf8).withByteView { second.code(for: $0) }.hex
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    }
}
