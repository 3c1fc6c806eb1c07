using System;
using System.Security.Cryptography;
using System.Text;

namespace Signet.Client.Protocol;

/// <summary>The byte formats that requests and replies share. docs/protocol.md describes them in words.</summary>
internal static class Wire
{
    /// <summary>Throws on text that isn't valid Unicode, in both directions.</summary>
    internal static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>Each part after its length as 4 bytes, big-endian.</summary>
    internal static byte[] LengthPrefixed(params byte[][] parts)
    {
        int size = 0;
        foreach (byte[] part in parts)
        {
            size += 4 + part.Length;
        }

        byte[] result = new byte[size];
        int at = 0;
        foreach (byte[] part in parts)
        {
            result[at] = (byte)(part.Length >> 24);
            result[at + 1] = (byte)(part.Length >> 16);
            result[at + 2] = (byte)(part.Length >> 8);
            result[at + 3] = (byte)part.Length;
            Buffer.BlockCopy(part, 0, result, at + 4, part.Length);
            at += 4 + part.Length;
        }

        return result;
    }

    internal static byte[] Bytes(string text) => Utf8.GetBytes(text);

    internal static byte[] Concat(params byte[][] parts)
    {
        int size = 0;
        foreach (byte[] part in parts)
        {
            size += part.Length;
        }

        byte[] result = new byte[size];
        int at = 0;
        foreach (byte[] part in parts)
        {
            Buffer.BlockCopy(part, 0, result, at, part.Length);
            at += part.Length;
        }

        return result;
    }

    internal static byte[] Slice(byte[] bytes, int start, int length)
    {
        byte[] result = new byte[length];
        Buffer.BlockCopy(bytes, start, result, 0, length);
        return result;
    }

    internal static byte[] Sha256(byte[] data)
    {
#if NET
        return SHA256.HashData(data);
#else
        using SHA256 sha256 = SHA256.Create();
        return sha256.ComputeHash(data);
#endif
    }

    internal static byte[] RandomBytes(int count)
    {
        byte[] bytes = new byte[count];
        using RandomNumberGenerator random = RandomNumberGenerator.Create();
        random.GetBytes(bytes);
        return bytes;
    }

    /// <summary><c>X-Signet-App</c>: the name percent-encoded as by JavaScript's <c>encodeURIComponent</c>.</summary>
    internal static string AppHeader(string ownerId, string appName)
    {
        const string Unreserved = "-_.!~*'()";
        StringBuilder text = new(ownerId.Length + 1 + appName.Length);
        text.Append(ownerId).Append('/');
        foreach (byte value in Bytes(appName))
        {
            char character = (char)value;
            bool isPlain = character is >= 'A' and <= 'Z' or >= 'a' and <= 'z' or >= '0' and <= '9'
                || Unreserved.IndexOf(character) >= 0;
            _ = isPlain
                ? text.Append(character)
                : text.Append('%').Append("0123456789ABCDEF"[value >> 4]).Append("0123456789ABCDEF"[value & 15]);
        }

        return text.ToString();
    }
}
