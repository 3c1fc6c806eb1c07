using System.Text.Json;
using Signet.Client.Protocol;

namespace Signet.Client;

/// <summary>The app as the server knows it.</summary>
public sealed class SignetApp
{
    private SignetApp(JsonElement fields)
    {
        Name = ReplyJson.Text(fields, "name");
        Version = ReplyJson.Text(fields, "version");
        WebloaderUrl = ReplyJson.OptionalText(fields, "webloaderUrl");
    }

    /// <summary>The name of the app.</summary>
    public string Name { get; }

    /// <summary>The current version of the app.</summary>
    public string Version { get; }

    /// <summary>The webloader link from the app's settings, if there is one.</summary>
    public string? WebloaderUrl { get; }

    internal static SignetApp Read(JsonElement fields) => new(ReplyJson.Object(fields, "app"));
}

/// <summary>What a webhook of the app answered.</summary>
public sealed class WebhookAnswer
{
    private WebhookAnswer(int status, string body)
    {
        Status = status;
        Body = body;
    }

    /// <summary>The HTTP status.</summary>
    public int Status { get; }

    /// <summary>The text, up to 16 KiB.</summary>
    public string Body { get; }

    internal static WebhookAnswer Read(JsonElement fields) =>
        new(ReplyJson.SmallInteger(fields, "status"), ReplyJson.Text(fields, "body"));
}
