using System.Text.Json;

namespace Signet.Client.Protocol;

/// <summary>
/// The root key's signature for the key that signs replies. Times are epoch seconds, both ends included.
/// </summary>
internal sealed class Certificate
{
    /// <summary>The largest integer that every JSON reader takes for what it is.</summary>
    private const long MaxInteger = (1L << 53) - 1;

    private Certificate(string kid, byte[] publicKey, long serial, long notBefore, long notAfter)
    {
        Kid = kid;
        PublicKey = publicKey;
        Serial = serial;
        NotBefore = notBefore;
        NotAfter = notAfter;
    }

    internal string Kid { get; }

    internal byte[] PublicKey { get; }

    internal long Serial { get; }

    internal long NotBefore { get; }

    internal long NotAfter { get; }

    internal bool IsValidAt(long unixMs) => NotBefore * 1000m <= unixMs && unixMs <= NotAfter * 1000m;

    /// <summary>The certificate in a payload whose signature was verified; null if it is of another version.</summary>
    internal static Certificate? ReadPayload(byte[] payload)
    {
        if (ReplyJson.Parse(payload) is not { } fields || Integer(fields, "v") != 1)
        {
            return null;
        }

        string? kid = ReplyJson.OptionalText(fields, "kid");
        string? key = ReplyJson.OptionalText(fields, "key");
        byte[]? publicKey = key is null ? null : PublicKeys.ReadEd25519(key);
        long? serial = Integer(fields, "serial");
        long? notBefore = Integer(fields, "notBefore");
        long? notAfter = Integer(fields, "notAfter");
        bool isComplete = !string.IsNullOrEmpty(kid) && publicKey != null
            && serial.HasValue && notBefore.HasValue && notAfter.HasValue;
        return isComplete ? new Certificate(kid!, publicKey!, serial!.Value, notBefore!.Value, notAfter!.Value) : null;
    }

    /// <summary>Null if the field is absent or not an integer from 0 to 2^53 - 1.</summary>
    internal static long? Integer(JsonElement fields, string name) =>
        fields.TryGetProperty(name, out JsonElement value)
        && value.ValueKind == JsonValueKind.Number
        && value.TryGetInt64(out long number)
        && number is >= 0 and <= MaxInteger
            ? number
            : null;
}
