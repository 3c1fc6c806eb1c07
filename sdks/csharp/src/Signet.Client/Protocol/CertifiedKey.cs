using Org.BouncyCastle.Math.EC.Rfc8032;

namespace Signet.Client.Protocol;

/// <summary>
/// A certificate, and the root key that signed it: the one that it was read with, or one that this one announced.
/// </summary>
internal sealed class CertifiedKey
{
    private const int MaxAnnouncements = 4;

    private CertifiedKey(Certificate certificate, byte[] rootKey)
    {
        Certificate = certificate;
        RootKey = rootKey;
    }

    internal Certificate Certificate { get; }

    internal byte[] RootKey { get; }

    /// <summary>
    /// Follows the announcements of replaced root keys, verifies the root's signature, then reads. The caller checks
    /// the time and the serial.
    /// </summary>
    /// <exception cref="SignetException"><c>UNKNOWN_KEY</c></exception>
    internal static CertifiedKey Read(string text, byte[] rootKey)
    {
        SignedPart[] parts = ReadParts(text)
            ?? throw new SignetException(SignetCode.UnknownKey, "The certificate of the server's key is malformed.");
        int announcements = parts.Length - 1;
        for (int at = 0; at < announcements; at++)
        {
            // Those for programs with an older key are not signed by this one.
            if (parts[at].IsSignedBy(rootKey, "signet/v1/root"))
            {
                rootKey = ReadAnnounced(parts[at].Payload)
                    ?? throw new SignetException(
                        SignetCode.UnknownKey, "The app's verification key was replaced by one that can't be used.");
            }
        }

        SignedPart certificate = parts[announcements];
        if (!certificate.IsSignedBy(rootKey, "signet/v1/key"))
        {
            throw new SignetException(
                SignetCode.UnknownKey,
                "The server's key is not signed by this app's verification key. Is VerificationKey right?");
        }

        return Certificate.ReadPayload(certificate.Payload) is { } read
            ? new CertifiedKey(read, rootKey)
            : throw new SignetException(
                SignetCode.UnknownKey, "The certificate of the server's key is of another version.");
    }

    /// <summary>The announcements and, last, the certificate.</summary>
    private static SignedPart[]? ReadParts(string text)
    {
        string[] texts = text.Split('.');
        if (texts.Length % 2 != 0 || texts.Length > 2 * (MaxAnnouncements + 1))
        {
            return null;
        }

        SignedPart[] parts = new SignedPart[texts.Length / 2];
        for (int at = 0; at < parts.Length; at++)
        {
            byte[]? payload = Base64Url.Decode(texts[2 * at]);
            byte[]? signature = Base64Url.Decode(texts[2 * at + 1]);
            if (payload is null || payload.Length == 0 || signature?.Length != Ed25519.SignatureSize)
            {
                return null;
            }

            parts[at] = new SignedPart(payload, signature);
        }

        return parts;
    }

    private static byte[]? ReadAnnounced(byte[] payload) =>
        ReplyJson.Parse(payload) is { } fields
        && Certificate.Integer(fields, "v") == 1
        && ReplyJson.OptionalText(fields, "root") is { } root
            ? PublicKeys.ReadEd25519(root)
            : null;
}
