namespace Signet.Client.Protocol;

/// <summary>A payload of <c>X-Signet-Certificate</c> with its signature.</summary>
internal sealed class SignedPart(byte[] payload, byte[] signature)
{
    internal byte[] Payload { get; } = payload;

    internal bool IsSignedBy(byte[] publicKey, string purpose) =>
        Signature.IsValid(signature, publicKey, Wire.LengthPrefixed(Wire.Bytes(purpose), Payload));
}
