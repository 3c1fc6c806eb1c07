using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace Signet.Client.Protocol;

/// <summary>
/// Writes request bodies without reflection, so that trimmed and ahead-of-time compiled programs work.
/// </summary>
internal static class RequestJson
{
    private const int MaxDepth = 32;

    // The body isn't embedded in HTML, so only what JSON demands is escaped.
    private static readonly JsonWriterOptions Options = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// <summary>A JSON object with the fields that aren't null.</summary>
    /// <exception cref="SignetException"><c>MALFORMED_REQUEST</c></exception>
    internal static byte[] Body(params (string Name, object? Value)[] fields)
    {
        try
        {
            using MemoryStream stream = new();
            using (Utf8JsonWriter writer = new(stream, Options))
            {
                writer.WriteStartObject();
                foreach ((string name, object? value) in fields)
                {
                    if (value != null)
                    {
                        writer.WritePropertyName(name);
                        Write(writer, value, 1);
                    }
                }

                writer.WriteEndObject();
            }

            return stream.ToArray();
        }
        catch (Exception error) when (error is EncoderFallbackException or NotSupportedException or ArgumentException)
        {
            throw new SignetException(SignetCode.MalformedRequest, $"This can't be sent: {error.Message}", error);
        }
    }

    private static void Write(Utf8JsonWriter writer, object? value, int depth)
    {
        if (depth > MaxDepth)
        {
            throw new NotSupportedException("the values are nested too deeply");
        }

        switch (value)
        {
            case null:
                writer.WriteNullValue();
                break;
            case string text:
                writer.WriteStringValue(Checked(text));
                break;
            case bool flag:
                writer.WriteBooleanValue(flag);
                break;
            case float or double:
                writer.WriteNumberValue(Convert.ToDouble(value, CultureInfo.InvariantCulture));
                break;
            case sbyte or byte or short or ushort or int or uint or long or ulong or decimal:
                writer.WriteNumberValue(Convert.ToDecimal(value, CultureInfo.InvariantCulture));
                break;
            case JsonElement element:
                element.WriteTo(writer);
                break;
            case IEnumerable<KeyValuePair<string, object?>> fields:
                writer.WriteStartObject();
                foreach (KeyValuePair<string, object?> field in fields)
                {
                    writer.WritePropertyName(Checked(field.Key));
                    Write(writer, field.Value, depth + 1);
                }

                writer.WriteEndObject();
                break;
            case IDictionary fields:
                writer.WriteStartObject();
                foreach (DictionaryEntry field in fields)
                {
                    string name = field.Key as string
                        ?? throw new NotSupportedException($"{field.Key.GetType()} isn't text, as the key of a field is");
                    writer.WritePropertyName(Checked(name));
                    Write(writer, field.Value, depth + 1);
                }

                writer.WriteEndObject();
                break;
            case IEnumerable items:
                writer.WriteStartArray();
                foreach (object? item in items)
                {
                    Write(writer, item, depth + 1);
                }

                writer.WriteEndArray();
                break;
            default:
                throw new NotSupportedException(
                    $"{value.GetType()} isn't text, a number, a bool, a list, or a dictionary");
        }
    }

    /// <summary>Throws for half of a surrogate pair, which the writer would silently replace.</summary>
    private static string Checked(string text)
    {
        _ = Wire.Utf8.GetByteCount(text);
        return text;
    }
}
