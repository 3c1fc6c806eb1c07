using System;
using System.Collections.Generic;
using System.Text.Json;

namespace Signet.Client.Protocol;

/// <summary>JSON objects whose bytes have been verified.</summary>
internal static class ReplyJson
{
    private static readonly JsonDocumentOptions Options = new() { MaxDepth = 64 };

    /// <summary>The JSON object in the bytes; null if they are anything else.</summary>
    internal static JsonElement? Parse(byte[] body)
    {
        try
        {
            // JsonDocument checks text only when it is read.
            _ = Wire.Utf8.GetCharCount(body);
            using JsonDocument document = JsonDocument.Parse(body, Options);
            return document.RootElement.ValueKind == JsonValueKind.Object ? document.RootElement.Clone() : null;
        }
        catch (Exception error) when (error is JsonException or ArgumentException)
        {
            return null;
        }
    }

    /// <summary>Null if the field is absent, null, or not a text.</summary>
    internal static string? OptionalText(JsonElement fields, string name)
    {
        if (!fields.TryGetProperty(name, out JsonElement value) || value.ValueKind != JsonValueKind.String)
        {
            return null;
        }

        try
        {
            return value.GetString();
        }
        catch (InvalidOperationException)
        {
            // An escaped half of a surrogate pair.
            return null;
        }
    }

    internal static string Text(JsonElement fields, string name) => OptionalText(fields, name) ?? throw Malformed(name);

    internal static long Integer(JsonElement fields, string name) =>
        fields.TryGetProperty(name, out JsonElement value)
        && value.ValueKind == JsonValueKind.Number
        && value.TryGetInt64(out long number)
            ? number
            : throw Malformed(name);

    internal static int SmallInteger(JsonElement fields, string name)
    {
        long number = Integer(fields, name);
        return number is >= int.MinValue and <= int.MaxValue ? (int)number : throw Malformed(name);
    }

    /// <summary>Epoch seconds; null if the field is absent or null.</summary>
    internal static DateTimeOffset? OptionalTime(JsonElement fields, string name)
    {
        if (!fields.TryGetProperty(name, out JsonElement value) || value.ValueKind == JsonValueKind.Null)
        {
            return null;
        }

        try
        {
            return DateTimeOffset.FromUnixTimeSeconds(Integer(fields, name));
        }
        catch (ArgumentOutOfRangeException)
        {
            throw Malformed(name);
        }
    }

    internal static JsonElement Object(JsonElement fields, string name) =>
        fields.TryGetProperty(name, out JsonElement value) && value.ValueKind == JsonValueKind.Object
            ? value
            : throw Malformed(name);

    internal static SignetException Malformed(string name) =>
        new(SignetCode.MalformedReply, $"The server's signed answer lacks a valid {name}.");

    /// <summary>The value as a plain .NET object: text, long, double, bool, null, list, or dictionary.</summary>
    internal static object? Plain(JsonElement value)
    {
        switch (value.ValueKind)
        {
            case JsonValueKind.String:
                try
                {
                    return value.GetString();
                }
                catch (InvalidOperationException)
                {
                    return null;
                }

            case JsonValueKind.Number:
                return value.TryGetInt64(out long integer) ? integer
                    : value.TryGetDouble(out double number) ? number : null;
            case JsonValueKind.True:
                return true;
            case JsonValueKind.False:
                return false;
            case JsonValueKind.Array:
                List<object?> items = new();
                foreach (JsonElement item in value.EnumerateArray())
                {
                    items.Add(Plain(item));
                }

                return items;
            case JsonValueKind.Object:
                Dictionary<string, object?> fields = new();
                foreach (JsonProperty field in value.EnumerateObject())
                {
                    fields[field.Name] = Plain(field.Value);
                }

                return fields;
            default:
                return null;
        }
    }
}
