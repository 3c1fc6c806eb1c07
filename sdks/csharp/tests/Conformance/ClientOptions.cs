using System;
using System.Linq;
using System.Text.Json;
using System.Security.Cryptography.X509Certificates;

namespace Signet.Client.Conformance;

/// <summary>The options in a <c>create</c> request.</summary>
internal static class ClientOptions
{
    internal static SignetOptions Read(JsonElement request)
    {
        SignetOptions options = new()
        {
            OwnerId = request.Text("ownerId"),
            AppName = request.Text("appName"),
            Version = request.Text("version"),
            ServerUrl = request.Text("serverUrl"),
            VerificationKey = request.Text("verificationKey"),
            SealingKey = request.Text("sealingKey"),
            Hwid = request.OptionalText("hwid"),
            ProgramHash = Hash(request),
            SealRequests = IsTrue(request, "sealRequests"),
            AllowHttp = IsTrue(request, "allowHttp"),
        };
        if (request.OptionalText("language") is { } language)
        {
            options.Language = Language(language);
        }

        if (Seconds(request, "timeout") is { } timeout)
        {
            options.Timeout = timeout;
        }

        if (Seconds(request, "grace") is { } grace)
        {
            options.Grace = grace;
        }

        if (request.TryGetProperty("heartbeatInterval", out _))
        {
            options.HeartbeatInterval = Seconds(request, "heartbeatInterval");
        }

        if (request.TryGetProperty("fingerprints", out JsonElement list) && list.ValueKind == JsonValueKind.Array)
        {
            list.EnumerateArray().ToList().ForEach(item => options.Fingerprints.Add(item.GetString()!));
        }

        if (request.OptionalText("caFile") is { } caFile)
        {
            options.CertificateAuthority = X509CertificateLoader.LoadCertificateFromFile(caFile);
        }

        return options;
    }

    internal static SignetLanguage Language(string text) => text switch
    {
        "en" => SignetLanguage.English,
        "pt" => SignetLanguage.Portuguese,
        "es" => SignetLanguage.Spanish,
        _ => throw new SignetException(SignetCode.InvalidConfiguration, "The language is en, pt, or es."),
    };

    private static ProgramHash? Hash(JsonElement request) =>
        IsTrue(request, "programHash")
            ? ProgramHash.RunningProgram
            : request.OptionalText("programHash") is { } text ? ProgramHash.FromHex(text) : null;

    private static bool IsTrue(JsonElement request, string name) =>
        request.TryGetProperty(name, out JsonElement value) && value.ValueKind == JsonValueKind.True;

    private static TimeSpan? Seconds(JsonElement request, string name) =>
        request.TryGetProperty(name, out JsonElement value) && value.ValueKind == JsonValueKind.Number
            ? TimeSpan.FromSeconds(value.GetDouble())
            : null;
}
