using System;
using System.Collections.Generic;
using System.Text.Json;

namespace Signet.Client.Protocol;

/// <summary>What a verified reply says: yes, or an error.</summary>
internal static class ReplyContent
{
    /// <summary>The fields of a success.</summary>
    /// <exception cref="SignetException">The server's error, or <c>MALFORMED_REPLY</c>.</exception>
    internal static JsonElement Read(Reply reply)
    {
        if (ReplyJson.Parse(reply.Body) is not { } fields
            || !fields.TryGetProperty("success", out JsonElement success)
            || success.ValueKind is not (JsonValueKind.True or JsonValueKind.False))
        {
            throw new SignetException(
                SignetCode.MalformedReply, "The server's signed answer is not of this protocol.");
        }

        if (success.ValueKind == JsonValueKind.True)
        {
            return reply.Status == 200
                ? fields
                : throw new SignetException(
                    SignetCode.MalformedReply, $"The server's signed success has the status {reply.Status}.");
        }

        string? code = ReplyJson.OptionalText(fields, "code");
        string? message = ReplyJson.OptionalText(fields, "message");
        if (string.IsNullOrEmpty(code) || message is null)
        {
            throw new SignetException(SignetCode.MalformedReply, "The server's signed error gives no reason.");
        }

        throw new SignetException(code!, message, reply.Status, Details(fields));
    }

    private static Dictionary<string, object?> Details(JsonElement fields)
    {
        Dictionary<string, object?> details = new(StringComparer.Ordinal);
        foreach (JsonProperty field in fields.EnumerateObject())
        {
            if (field.Name is not ("success" or "code" or "message"))
            {
                details[field.Name] = ReplyJson.Plain(field.Value);
            }
        }

        return details;
    }
}
