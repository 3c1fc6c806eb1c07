using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Threading;
using System.Threading.Tasks;

namespace Signet.Client.Conformance;

/// <summary>The requests that are calls of the client.</summary>
internal static class ClientCalls
{
    internal static async Task<JsonObject> DoAsync(
        SignetClient client, string name, JsonElement request, CancellationToken cancellation)
    {
        switch (name)
        {
            case "init":
                SignetApp app = await client.InitAsync(cancellation).ConfigureAwait(false);
                return new JsonObject { ["name"] = app.Name, ["version"] = app.Version };
            case "license":
                return Session(await client.LicenseAsync(request.Text("key"), cancellation).ConfigureAwait(false));
            case "login":
                return Session(await LoginAsync(client, request, cancellation).ConfigureAwait(false));
            case "register":
                return Session(await client.RegisterAsync(
                    request.Text("username"),
                    request.Text("password"),
                    request.Text("licenseKey"),
                    request.OptionalText("email"),
                    cancellation).ConfigureAwait(false));
            case "upgrade":
                return Session(
                    await client.UpgradeAsync(LicenseKeyOf(request), cancellation).ConfigureAwait(false));
            case "heartbeat":
                return Session(await client.HeartbeatAsync(cancellation).ConfigureAwait(false));
            case "variable":
                return Value(await client.VariableAsync(request.Text("name"), cancellation).ConfigureAwait(false));
            case "userVariable":
                return Value(await client.UserVariableAsync(request.Text("name"), cancellation).ConfigureAwait(false));
            case "callWebhook":
                return await CallWebhookAsync(client, request, cancellation).ConfigureAwait(false);
            case "download":
                return File(await client.DownloadAsync(
                    request.Text("fileId"), request.Text("path"), cancellation).ConfigureAwait(false));
            case "valid":
                return new JsonObject { ["valid"] = client.IsValid };
            default:
                await DoWithoutResultAsync(client, name, request, cancellation).ConfigureAwait(false);
                return new JsonObject();
        }
    }

    private static Task DoWithoutResultAsync(
        SignetClient client, string name, JsonElement request, CancellationToken cancellation) => name switch
        {
            "setUserVariable" => client.SetUserVariableAsync(
                request.Text("name"), request.Text("value"), cancellation),
            "log" => client.LogAsync(request.Text("message"), cancellation),
            "changePassword" => client.ChangePasswordAsync(
                request.Text("password"), request.Text("newPassword"), cancellation),
            "requestPasswordReset" => client.RequestPasswordResetAsync(request.Text("username"), cancellation),
            "logout" => client.LogoutAsync(cancellation),
            "close" => client.CloseAsync(),
            _ => throw new NotSupportedException($"There is no request {name}."),
        };

    private static Task<SignetSession> LoginAsync(
        SignetClient client, JsonElement request, CancellationToken cancellation)
    {
        (string username, string password) = (request.Text("username"), request.Text("password"));
        return request.OptionalText("licenseKey") is { } key
            ? client.LoginAsync(username, password, key, cancellation)
            : client.LoginAsync(username, password, cancellation);
    }

    private static string LicenseKeyOf(JsonElement request) =>
        request.OptionalText("licenseKey") ?? request.Text("key");

    private static async Task<JsonObject> CallWebhookAsync(
        SignetClient client, JsonElement request, CancellationToken cancellation)
    {
        Dictionary<string, object?> parameters = new();
        if (request.TryGetProperty("params", out JsonElement fields) && fields.ValueKind == JsonValueKind.Object)
        {
            parameters = fields.EnumerateObject().ToDictionary(field => field.Name, field => (object?)field.Value);
        }

        WebhookAnswer answer = await client
            .CallWebhookAsync(request.Text("webhookId"), parameters, cancellation)
            .ConfigureAwait(false);
        return new JsonObject { ["status"] = answer.Status, ["body"] = answer.Body };
    }

    private static JsonObject Value(string value) => new() { ["value"] = value };

    private static JsonObject File(DownloadedFile file) => new()
    {
        ["fileName"] = file.FileName,
        ["size"] = file.Size,
        ["sha256"] = file.Sha256,
    };

    private static JsonObject Session(SignetSession session) => new()
    {
        ["username"] = session.Username,
        ["expiresAt"] = session.ExpiresAt.ToUnixTimeSeconds(),
        ["subscriptions"] = new JsonArray(session.Subscriptions.Select(Subscription).ToArray()),
    };

    private static JsonNode Subscription(SignetSubscription subscription) => new JsonObject
    {
        ["level"] = subscription.Level,
        ["name"] = subscription.Name,
        ["expiresAt"] = subscription.ExpiresAt?.ToUnixTimeSeconds(),
    };
}
