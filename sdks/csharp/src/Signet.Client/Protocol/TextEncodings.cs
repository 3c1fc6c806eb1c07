using System;

namespace Signet.Client.Protocol;

/// <summary>RFC 4648 §5 without padding.</summary>
internal static class Base64Url
{
    internal static string Encode(byte[] data) =>
        Convert.ToBase64String(data).TrimEnd('=').Replace('+', '-').Replace('/', '_');

    /// <summary>Null for every text but the one that the bytes encode to.</summary>
    internal static byte[]? Decode(string text)
    {
        foreach (char character in text)
        {
            bool isAllowed = character is >= 'A' and <= 'Z' or >= 'a' and <= 'z' or >= '0' and <= '9' or '-' or '_';
            if (!isAllowed)
            {
                return null;
            }
        }

        if (text.Length % 4 == 1)
        {
            return null;
        }

        string padded = text.Replace('-', '+').Replace('_', '/') + new string('=', (4 - text.Length % 4) % 4);
        byte[] data = Convert.FromBase64String(padded);
        return Encode(data) == text ? data : null;
    }
}

/// <summary>Lower-case hexadecimal.</summary>
internal static class Hex
{
    internal static string Encode(byte[] data)
    {
        char[] text = new char[data.Length * 2];
        for (int at = 0; at < data.Length; at++)
        {
            text[2 * at] = "0123456789abcdef"[data[at] >> 4];
            text[2 * at + 1] = "0123456789abcdef"[data[at] & 15];
        }

        return new string(text);
    }

    internal static bool IsDigit(char character) =>
        character is >= '0' and <= '9' or >= 'a' and <= 'f' or >= 'A' and <= 'F';

    /// <summary>Whether the text is a SHA-256 in hexadecimal, in either case.</summary>
    internal static bool IsSha256(string text)
    {
        if (text.Length != 64)
        {
            return false;
        }

        foreach (char character in text)
        {
            if (!IsDigit(character))
            {
                return false;
            }
        }

        return true;
    }
}
