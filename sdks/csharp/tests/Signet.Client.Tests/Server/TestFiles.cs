using System;
using System.Collections.Concurrent;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Threading.Tasks;

namespace Signet.Client.Tests;

/// <summary>The files of a server, whose bytes aren't signed.</summary>
internal sealed class TestFiles
{
    /// <summary>The bytes that are signed.</summary>
    internal byte[] Signed { get; set; } = Enumerable.Range(0, 300_000).Select(at => (byte)(at * 7 + at / 251)).ToArray();

    /// <summary>The bytes that are sent; null for the signed ones.</summary>
    internal byte[]? Sent { get; set; }

    /// <summary>After how many bytes of each answer the connection ends.</summary>
    internal ConcurrentQueue<int> Cuts { get; } = new();

    /// <summary>Waits after the cut, instead of ending the connection.</summary>
    internal Task? Hang { get; set; }

    internal bool IgnoresRange { get; set; }

    internal int Status { get; set; } = 200;

    internal string? Location { get; set; }

    /// <summary>The <c>Range</c> and <c>If-Range</c> headers of the requests.</summary>
    internal ConcurrentQueue<string> Ranges { get; } = new();

    internal string Sha256 => Convert.ToHexString(SHA256.HashData(Signed)).ToLowerInvariant();

    internal Answer Offer(string url = "/api/1.0/download/file?ticket=1.a-b.c_d", long? size = null) => Answer.Success(
        $"\"fileName\":\"setup.exe\",\"size\":{size ?? Signed.Length},\"sha256\":\"{Sha256}\",\"url\":\"{url}\"");

    internal async Task<bool> AnswerAsync(Stream stream, HttpRequestBytes request)
    {
        request.Headers.TryGetValue("range", out string? range);
        request.Headers.TryGetValue("if-range", out string? ifRange);
        Ranges.Enqueue(range is null ? string.Empty : $"{range} {ifRange}");
        byte[] data = Sent ?? Signed;
        bool isRest = range != null && ifRange == $"\"{Sha256}\"" && !IgnoresRange;
        int start = isRest ? int.Parse(range!.Substring("bytes=".Length).TrimEnd('-')) : 0;
        StringBuilder head = new($"HTTP/1.1 {(isRest ? 206 : Status)} Status\r\nContent-Length: {data.Length - start}\r\n");
        if (isRest)
        {
            head.Append($"Content-Range: bytes {start}-{data.Length - 1}/{data.Length}\r\n");
        }

        if (Location != null)
        {
            head.Append($"Location: {Location}\r\n");
        }

        await stream.WriteAsync(Encoding.ASCII.GetBytes(head.Append("\r\n").ToString())).ConfigureAwait(false);
        bool isCut = Cuts.TryDequeue(out int cut);
        await stream.WriteAsync(data.AsMemory(start, isCut ? Math.Min(cut, data.Length - start) : data.Length - start))
            .ConfigureAwait(false);
        await stream.FlushAsync().ConfigureAwait(false);
        if (isCut && Hang != null)
        {
            await Hang.ConfigureAwait(false);
        }

        return false;
    }
}
