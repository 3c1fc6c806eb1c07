using System.Text.Json;

namespace Signet.Client.Conformance;

internal static class RequestFields
{
    internal static string Text(this JsonElement request, string name) => request.OptionalText(name) ?? string.Empty;

    internal static string? OptionalText(this JsonElement request, string name) =>
        request.TryGetProperty(name, out JsonElement value) && value.ValueKind == JsonValueKind.String
            ? value.GetString()
            : null;
}
