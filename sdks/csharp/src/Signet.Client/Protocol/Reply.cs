using System.Collections.Generic;
using System.Globalization;

namespace Signet.Client.Protocol;

/// <summary>An answer as it was received; nothing in it is verified yet. Header names are in lower case.</summary>
internal sealed class Reply(int status, IReadOnlyDictionary<string, string> headers, byte[] body)
{
    internal int Status { get; } = status;

    internal byte[] Body { get; } = body;

    internal string Header(string name) => headers.TryGetValue(name, out string? value) ? value : string.Empty;

    /// <summary>The message that stands for a reply under the server's signature.</summary>
    internal static byte[] Message(
        string app, string kid, byte[] requestHash, string serverTime, int status, byte[] body) =>
        Wire.LengthPrefixed(
            Wire.Bytes("signet/v1/response"),
            Wire.Bytes(app),
            Wire.Bytes(kid),
            requestHash,
            Wire.Bytes(serverTime),
            Wire.Bytes(status.ToString(CultureInfo.InvariantCulture)),
            Wire.Sha256(body));
}
