using System;
using System.Collections.Generic;
using System.Text;
using System.Threading.Tasks;

namespace Signet.Client.Tests;

/// <summary>What a server does about one call.</summary>
internal sealed class Answer
{
    internal int Status { get; private init; } = 200;

    /// <summary>The fields of the body as JSON, without braces.</summary>
    internal string Fields { get; private init; } = string.Empty;

    /// <summary>Replaces the body.</summary>
    internal string? Body { get; private init; }

    /// <summary>Bytes to send instead of an HTTP answer; the connection ends after them.</summary>
    internal byte[]? Raw { get; private init; }

    internal bool IsUnsigned { get; private init; }

    /// <summary>Whether the connection ends without an answer.</summary>
    internal bool IsDropped { get; private init; }

    /// <summary>Added to the server's clock.</summary>
    internal TimeSpan ClockLead { get; private init; }

    /// <summary>What to wait for before answering.</summary>
    internal Task Until { get; init; } = Task.CompletedTask;

    /// <summary>More headers, and replacements of those of Signet; null removes one.</summary>
    internal Dictionary<string, string?> Headers { get; } = new();

    internal static Answer Success(string fields, int status = 200) =>
        new() { Status = status, Fields = $"\"success\":true,\"message\":\"\",{fields}".TrimEnd(',') };

    internal static Answer Error(int status, string code, string more = "") => new()
    {
        Status = status,
        Fields = $"\"success\":false,\"message\":\"No: {code}\",\"code\":\"{code}\",\"requestId\":\"r1\"{more}",
    };

    internal static Answer SignedBody(string body, int status = 200) => new() { Status = status, Body = body };

    internal static Answer Unsigned(int status, string body = "{}") =>
        new() { Status = status, Body = body, IsUnsigned = true };

    internal static Answer Dropped() => new() { IsDropped = true };

    internal static Answer Bytes(string raw) => new() { Raw = Encoding.ASCII.GetBytes(raw) };

    internal static Answer Bytes(byte[] raw) => new() { Raw = raw };

    internal Answer After(Task task) => Copy(task, ClockLead);

    internal Answer WithClockLead(TimeSpan lead) => Copy(Until, lead);

    internal Answer With(string header, string? value)
    {
        Headers[header] = value;
        return this;
    }

    private Answer Copy(Task until, TimeSpan lead)
    {
        Answer copy = new()
        {
            Status = Status,
            Fields = Fields,
            Body = Body,
            Raw = Raw,
            IsUnsigned = IsUnsigned,
            IsDropped = IsDropped,
            ClockLead = lead,
            Until = until,
        };
        foreach (KeyValuePair<string, string?> header in Headers)
        {
            copy.Headers[header.Key] = header.Value;
        }

        return copy;
    }
}
