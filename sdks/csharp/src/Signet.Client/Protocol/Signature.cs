using Org.BouncyCastle.Math.EC.Rfc8032;

namespace Signet.Client.Protocol;

/// <summary>Ed25519 signatures, as strict as RFC 8032 §5.1.7 allows.</summary>
internal static class Signature
{
    /// <summary>
    /// Bouncy Castle multiplies by the cofactor, so it also accepts an R with a component of small order, which other
    /// implementations reject.
    /// </summary>
    internal static bool IsValid(byte[]? signature, byte[] publicKey, byte[] message) =>
        signature?.Length == Ed25519.SignatureSize
        && Ed25519.ValidatePublicKeyFull(signature, 0)
        && Ed25519.Verify(signature, 0, publicKey, 0, message, 0, message.Length);
}
