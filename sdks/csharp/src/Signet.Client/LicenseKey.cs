namespace Signet.Client;

/// <summary>License keys as customers paste them.</summary>
internal static class LicenseKey
{
    /// <summary>Without white space, line ends, and invisible characters at both ends.</summary>
    internal static string Trim(string key)
    {
        int start = 0;
        int end = key.Length;
        while (start < end && IsBlank(key[start]))
        {
            start++;
        }

        while (end > start && IsBlank(key[end - 1]))
        {
            end--;
        }

        return key.Substring(start, end - start);
    }

    private static bool IsBlank(char character) =>
        char.IsWhiteSpace(character)
        || character
            is '\u00AD'
            or '\u180E'
            or >= '\u200B' and <= '\u200F'
            or >= '\u202A' and <= '\u202E'
            or >= '\u2060' and <= '\u2064'
            or >= '\u2066' and <= '\u2069'
            or '\uFEFF';
}
