using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using Signet.Client.Protocol;

namespace Signet.Client.Testing;

/// <summary>The cases of sdks/vectors.</summary>
internal static class Vectors
{
    private static readonly Dictionary<string, Func<JsonElement, JsonElement, string?>> Checks = new()
    {
        ["request-hash"] = CheckRequestHash,
        ["certificates"] = CheckCertificate,
        ["announcements"] = CheckCertificate,
        ["public-keys"] = CheckPublicKey,
        ["replies"] = CheckReply,
        ["sealed-bodies"] = CheckSealedBody,
        ["hardware-ids"] = CheckHardwareId,
        ["answers"] = CheckAnswer,
        ["app-names"] = CheckAppName,
        ["keys"] = CheckKey,
    };

    /// <summary>The names of all cases, as <c>file: case</c>.</summary>
    internal static IEnumerable<string> Names(string folder) =>
        from file in Files(folder)
        from name in CaseNames(Read(folder, file))
        select $"{file}: {name}";

    /// <summary>What is wrong in a case; null if nothing is.</summary>
    internal static string? Problem(string folder, string fullName)
    {
        string file = fullName.Substring(0, fullName.IndexOf(':'));
        string name = fullName.Substring(file.Length + 2);
        JsonElement vectors = Read(folder, file);
        if (!Checks.TryGetValue(file, out Func<JsonElement, JsonElement, string?>? check))
        {
            return "there is no check for these vectors";
        }

        int index = CaseNames(vectors).ToList().IndexOf(name);
        return check(vectors, Items(vectors).ElementAt(index));
    }

    private static IEnumerable<string> Files(string folder) => Directory
        .GetFiles(folder, "*.json")
        .Select(path => Path.GetFileNameWithoutExtension(path))
        .OrderBy(file => file, StringComparer.Ordinal);

    private static JsonElement Read(string folder, string file) =>
        JsonDocument.Parse(File.ReadAllText(Path.Combine(folder, file + ".json"))).RootElement;

    private static IEnumerable<JsonElement> Items(JsonElement vectors) =>
        vectors.TryGetProperty("rejected", out JsonElement rejected)
            ? vectors.GetProperty("cases").EnumerateArray().Concat(rejected.EnumerateArray())
            : vectors.GetProperty("cases").EnumerateArray();

    /// <summary>Equal names get a number.</summary>
    private static IEnumerable<string> CaseNames(JsonElement vectors)
    {
        Dictionary<string, int> counts = new();
        foreach (JsonElement item in Items(vectors))
        {
            string name = Text(item, "name");
            int count = counts.TryGetValue(name, out int seen) ? seen + 1 : 1;
            counts[name] = count;
            yield return count == 1 ? name : $"{name} ({count})";
        }
    }

    private static string? CheckRequestHash(JsonElement vectors, JsonElement item) =>
        Same(Text(item, "hash"), Hex.Encode(Request(item).Hash()));

    private static string? CheckCertificate(JsonElement vectors, JsonElement item)
    {
        JsonElement fields = item.GetProperty("fields");
        byte[] root = PublicKeys.ReadEd25519(Text(vectors, "rootPublicKey"))!;
        CertifiedKey certified;
        try
        {
            certified = CertifiedKey.Read(Text(item, "certificate"), root);
        }
        catch (SignetException error) when (error.Code == SignetCode.UnknownKey)
        {
            return fields.ValueKind == JsonValueKind.Null ? null : error.Message;
        }

        if (fields.ValueKind == JsonValueKind.Null)
        {
            return "the certificate was accepted";
        }

        Certificate certificate = certified.Certificate;
        string trusted = item.TryGetProperty("root", out JsonElement moved)
            ? moved.GetString()!
            : Text(vectors, "rootPublicKey");
        return Same(Text(fields, "kid"), certificate.Kid)
            ?? Same(Text(fields, "key"), Base64Url.Encode(certificate.PublicKey))
            ?? Same(fields.GetProperty("serial").GetInt64(), certificate.Serial)
            ?? Same(fields.GetProperty("notBefore").GetInt64(), certificate.NotBefore)
            ?? Same(fields.GetProperty("notAfter").GetInt64(), certificate.NotAfter)
            ?? Same(trusted, Base64Url.Encode(certified.RootKey));
    }

    private static string? CheckPublicKey(JsonElement vectors, JsonElement item)
    {
        string text = Text(item, "publicKey");
        byte[]? key = Text(item, "curve") == "ed25519" ? PublicKeys.ReadEd25519(text) : PublicKeys.ReadX25519(text);
        return Same(item.GetProperty("usable").GetBoolean(), key != null);
    }

    private static string? CheckReply(JsonElement vectors, JsonElement item)
    {
        Dictionary<string, string> headers = item.GetProperty("headers").EnumerateObject()
            .ToDictionary(header => header.Name.ToLowerInvariant(), header => header.Value.GetString()!);
        Reply reply = new(item.GetProperty("status").GetInt32(), headers, Bytes(item, "body"));
        ReplyVerifier verifier = new(
            PublicKeys.ReadEd25519(Text(vectors, "rootPublicKey"))!, item.GetProperty("highestSerial").GetInt64());
        string outcome;
        try
        {
            long now = vectors.GetProperty("now").GetInt64();
            VerifiedTime time = verifier.Verify(Request(vectors.GetProperty("request")), reply, now);
            outcome = time.IsFresh ? "accepted" : "STALE_RESPONSE";
        }
        catch (SignetException error)
        {
            outcome = error.CodeText;
        }

        return Same(Text(item, "outcome"), outcome);
    }

    private static string? CheckSealedBody(JsonElement vectors, JsonElement item)
    {
        SignetRequest request = new(
            Text(item, "path"),
            Text(item, "app"),
            Text(item, "nonce"),
            Text(item, "time"),
            item.GetProperty("session").GetString(),
            Bytes(item, "sealed"));
        byte[] context = SignetRequest.SealingContext(
            request.Path, request.App, request.Nonce, request.Time, request.Session);
        byte[]? opened = SealedBody.Open(Convert.FromHexString(Text(vectors, "recipientKey")), request.Body, context);
        string? body = item.GetProperty("body").GetString();
        string? problem = Same(body, opened is null ? null : Base64Url.Encode(opened));
        if (problem != null || body is null)
        {
            return problem;
        }

        byte[] recipient = PublicKeys.ReadX25519(Text(vectors, "recipientPublicKey"))!;
        byte[] ephemeral = Convert.FromHexString(Text(vectors, "ephemeralKey"));
        byte[] sealedBody = Hpke.Seal(recipient, Bytes(item, "body"), context, ephemeral);
        return Same(Text(item, "sealed"), Base64Url.Encode(sealedBody));
    }

    private static string? CheckHardwareId(JsonElement vectors, JsonElement item)
    {
        string? hwid;
        try
        {
            hwid = HardwareId.Of(Text(item, "ownerId"), Text(item, "machineId"));
        }
        catch (SignetException error) when (error.Code == SignetCode.HwidUnavailable)
        {
            hwid = null;
        }

        return Same(item.GetProperty("hwid").GetString(), hwid);
    }

    private static string? CheckAnswer(JsonElement vectors, JsonElement item)
    {
        Dictionary<string, string> noHeaders = new();
        try
        {
            ReplyContent.Read(new Reply(item.GetProperty("status").GetInt32(), noHeaders, Bytes(item, "body")));
            return Same(Text(item, "outcome"), "yes");
        }
        catch (SignetException error)
        {
            return Same(Text(item, "outcome"), error.CodeText)
                ?? Same(item.GetProperty("isTemporary").GetBoolean(), error.IsTemporary)
                ?? Same(Number(item, "retryAfter"), error.RetryAfter?.TotalSeconds)
                ?? Same(item.GetProperty("requestId").GetString(), error.RequestId)
                ?? Same(item.GetProperty("downloadUrl").GetString(), error.DownloadUrl);
        }
    }

    private static string? CheckAppName(JsonElement vectors, JsonElement item)
    {
        bool isRejected = item.TryGetProperty("utf16", out JsonElement units);
        string appName = isRejected
            ? new string(units.EnumerateArray().Select(unit => (char)unit.GetInt32()).ToArray())
            : Text(item, "appName");
        string? header;
        try
        {
            SignetOptions options = new()
            {
                OwnerId = Text(vectors, "ownerId"),
                AppName = appName,
                Version = "1",
                ServerUrl = "https://signet.example.com",
                VerificationKey = "0EqyMnQrtKs6E2i9RhXk5tAiSrcaAWuvhSCjMsl3hzc",
                SealingKey = "OUjP4K0d22ldeA5ZB3GV2mxWUGsCcyl5SrAryoCBXE0",
            };
            header = new ClientConfiguration(options).App;
        }
        catch (SignetException error) when (error.Code == SignetCode.InvalidConfiguration)
        {
            header = null;
        }

        return Same(isRejected ? null : Text(item, "header"), header);
    }

    private static string? CheckKey(JsonElement vectors, JsonElement item) =>
        Same(Text(item, "sent"), LicenseKey.Trim(Text(item, "typed")));

    private static double? Number(JsonElement item, string name) =>
        item.GetProperty(name).ValueKind == JsonValueKind.Null ? null : item.GetProperty(name).GetDouble();

    private static SignetRequest Request(JsonElement item) => new(
        Text(item, "path"),
        Text(item, "app"),
        Text(item, "nonce"),
        Text(item, "time"),
        item.GetProperty("session").GetString(),
        Bytes(item, "body"));

    private static string Text(JsonElement item, string name) => item.GetProperty(name).GetString()!;

    private static byte[] Bytes(JsonElement item, string name) => Base64Url.Decode(Text(item, name))!;

    private static string? Same<T>(T expected, T actual) =>
        EqualityComparer<T>.Default.Equals(expected, actual) ? null : $"expected {expected}, got {actual}";
}
