using System;
using System.Text.Json;
using Signet.Client.Protocol;

namespace Signet.Client.Downloads;

/// <summary>What the server says, signed, about a file, and where its bytes are for a minute.</summary>
internal sealed class FileOffer
{
    private const string UrlPrefix = "/api/1.0/download/";
    private const int MaxUrlCharacters = 500;

    private FileOffer(string fileName, long size, string sha256, string url)
    {
        FileName = fileName;
        Size = size;
        Sha256 = sha256;
        Url = url;
    }

    internal string FileName { get; }

    internal long Size { get; }

    internal string Sha256 { get; }

    /// <summary>A path on the same server.</summary>
    internal string Url { get; }

    internal static FileOffer Read(JsonElement fields)
    {
        long size = ReplyJson.Integer(fields, "size");
        string sha256 = ReplyJson.Text(fields, "sha256");
        string url = ReplyJson.Text(fields, "url");
        if (size < 0)
        {
            throw ReplyJson.Malformed("size");
        }

        if (!Hex.IsSha256(sha256))
        {
            throw ReplyJson.Malformed("sha256");
        }

        return IsDownloadPath(url)
            ? new FileOffer(ReplyJson.Text(fields, "fileName"), size, sha256.ToLowerInvariant(), url)
            : throw ReplyJson.Malformed("url");
    }

    private static bool IsDownloadPath(string url)
    {
        if (!url.StartsWith(UrlPrefix, StringComparison.Ordinal) || url.Length == UrlPrefix.Length
            || url.Length > UrlPrefix.Length + MaxUrlCharacters || url.Contains(".."))
        {
            return false;
        }

        for (int at = UrlPrefix.Length; at < url.Length; at++)
        {
            char character = url[at];
            bool isAllowed = character is >= 'A' and <= 'Z' or >= 'a' and <= 'z' or >= '0' and <= '9'
                || "_.~?=&%-".IndexOf(character) >= 0;
            if (!isAllowed)
            {
                return false;
            }
        }

        return true;
    }
}
