using System;

namespace Signet.Client.Protocol;

/// <summary>One request as it is sent. <paramref name="time"/> is unix milliseconds, decimal.</summary>
internal sealed class SignetRequest(string path, string app, string nonce, string time, string? session, byte[] body)
{
    internal string Path { get; } = path;

    internal string App { get; } = app;

    internal string Nonce { get; } = nonce;

    internal string Time { get; } = time;

    internal string? Session { get; } = session;

    internal byte[] Body { get; } = body;

    /// <summary>24 random bytes, 32 characters.</summary>
    internal static string NewNonce() => Base64Url.Encode(Wire.RandomBytes(24));

    /// <summary><c>H</c>: 32 bytes that the server signs together with its reply.</summary>
    internal byte[] Hash() => Wire.Sha256(Wire.LengthPrefixed(
        Wire.Bytes("POST"),
        Wire.Bytes(Path),
        Wire.Bytes(App),
        Wire.Bytes(Nonce),
        Wire.Bytes(Time),
        SessionHash(Session),
        Body));

    /// <summary>The additional data that binds a sealed body to its request.</summary>
    internal static byte[] SealingContext(string path, string app, string nonce, string time, string? session) =>
        Wire.LengthPrefixed(
            Wire.Bytes(path), Wire.Bytes(app), Wire.Bytes(nonce), Wire.Bytes(time), SessionHash(session));

    private static byte[] SessionHash(string? session) =>
        string.IsNullOrEmpty(session) ? Array.Empty<byte>() : Wire.Sha256(Wire.Bytes(session!));
}
