using System;
using System.Collections.Generic;
using System.IO;
using System.Text;
using System.Threading.Tasks;
using Signet.Client.Protocol;

namespace Signet.Client.Tests;

/// <summary>An HTTP request as it was received. Header names are in lower case.</summary>
internal sealed record HttpRequestBytes(
    string Method, string Path, IReadOnlyDictionary<string, string> Headers, byte[] Body)
{
    internal static async Task<HttpRequestBytes?> ReadAsync(Stream stream)
    {
        StringBuilder head = new();
        byte[] one = new byte[1];
        while (!head.ToString().EndsWith("\r\n\r\n", StringComparison.Ordinal))
        {
            if (await stream.ReadAsync(one).ConfigureAwait(false) == 0)
            {
                return null;
            }

            head.Append((char)one[0]);
        }

        string[] lines = head.ToString().Split("\r\n", StringSplitOptions.RemoveEmptyEntries);
        string[] first = lines[0].Split(' ');
        Dictionary<string, string> headers = new();
        for (int at = 1; at < lines.Length; at++)
        {
            int colon = lines[at].IndexOf(':');
            headers[lines[at].Substring(0, colon).ToLowerInvariant()] = lines[at].Substring(colon + 1).Trim();
        }

        byte[] body = new byte[headers.TryGetValue("content-length", out string? length) ? int.Parse(length) : 0];
        await stream.ReadExactlyAsync(body).ConfigureAwait(false);
        // A proxy is sent the whole address.
        string path = first[1].StartsWith('/') ? first[1] : new Uri(first[1]).PathAndQuery;
        return new HttpRequestBytes(first[0], path, headers, body);
    }

    internal SignetRequest ToSignetRequest() => new(
        Path,
        Headers["x-signet-app"],
        Headers["x-signet-nonce"],
        Headers["x-signet-time"],
        Headers.TryGetValue("x-signet-session", out string? session) ? session : null,
        Body);
}
