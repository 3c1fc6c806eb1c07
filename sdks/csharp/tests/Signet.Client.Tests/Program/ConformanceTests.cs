using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Threading.Channels;
using System.Threading.Tasks;
using Signet.Client.Conformance;
using Xunit;

namespace Signet.Client.Tests;

/// <summary>The conformance program speaks the contract that the clients' common tests rely on.</summary>
public sealed class ConformanceTests : IDisposable
{
    private readonly TestServer _server = new();
    private readonly LineReader _input = new();
    private readonly LineWriter _output = new();
    private readonly Task _running;
    private int _id;

    public ConformanceTests()
    {
        _server.Honest.ClockLead =
            DateTimeOffset.UtcNow - DateTimeOffset.FromUnixTimeMilliseconds(_server.Clock.UnixMs);
        _running = new Runner(_input, _output, TextWriter.Null).RunAsync();
    }

    public void Dispose() => _server.Dispose();

    private int Send(string name, params (string Name, object? Value)[] fields)
    {
        Dictionary<string, object?> request = fields.ToDictionary(field => field.Name, field => field.Value);
        request["id"] = ++_id;
        request["do"] = name;
        _input.Lines.Writer.TryWrite(JsonSerializer.Serialize(request));
        return _id;
    }

    private async Task<JsonNode> AnswerAsync(int id)
    {
        await Patience.UntilAsync(() => _output.Find(id) != null);
        return _output.Find(id)!;
    }

    private Task<JsonNode> DoAsync(string name, params (string Name, object? Value)[] fields) =>
        AnswerAsync(Send(name, fields));

    private async Task<JsonNode> ResultAsync(string name, params (string Name, object? Value)[] fields)
    {
        JsonNode answer = await DoAsync(name, fields);
        Assert.True((bool)answer["ok"]!, answer.ToJsonString());
        return answer["result"]!;
    }

    private async Task<string> CodeAsync(string name, params (string Name, object? Value)[] fields)
    {
        JsonNode answer = await DoAsync(name, fields);
        Assert.False((bool)answer["ok"]!);
        return (string)answer["code"]!;
    }

    private Task<JsonNode> CreateAsync() => ResultAsync(
        "create",
        ("ownerId", "Ab3dE6gH1j"),
        ("appName", "My App"),
        ("version", "1.0"),
        ("serverUrl", _server.Url),
        ("verificationKey", _server.Identity.VerificationKey),
        ("sealingKey", _server.Identity.SealingKey),
        ("hwid", TestClients.Hwid),
        ("heartbeatInterval", null));

    [Fact]
    public async Task All_requests_are_answered_with_their_result()
    {
        await CreateAsync();
        Assert.Equal("My App", (string)(await ResultAsync("init"))["name"]!);
        JsonNode session = await ResultAsync("license", ("key", " KEY "));
        Assert.Equal("alice", (string)session["username"]!);
        Assert.Equal("Pro", (string)session["subscriptions"]![0]!["name"]!);
        Assert.Null(session["subscriptions"]![0]!["expiresAt"]);
        Assert.True((long)session["expiresAt"]! > 1_000_000_000);
        Assert.True((bool)(await ResultAsync("valid"))["valid"]!);
        Assert.Equal("of the app", (string)(await ResultAsync("variable", ("name", "x")))["value"]!);
        await ResultAsync("setUserVariable", ("name", "a"), ("value", "b"));
        Assert.Equal("b", (string)(await ResultAsync("userVariable", ("name", "a")))["value"]!);
        await ResultAsync("log", ("message", "m"));
        JsonNode webhook = await ResultAsync(
            "callWebhook", ("webhookId", "w"), ("params", new Dictionary<string, object> { ["a"] = new[] { 1 } }));
        Assert.Equal((202, "{\"a\":[1]}"), ((int)webhook["status"]!, (string)webhook["body"]!));
        await ResultAsync("changePassword", ("password", "a"), ("newPassword", "b"));
        await ResultAsync("requestPasswordReset", ("username", "a"));
        await ResultAsync("upgrade", ("licenseKey", "b"));
        await ResultAsync("heartbeat");
        await ResultAsync("login", ("username", "a"), ("password", "b"));
        await ResultAsync("register", ("username", "a"), ("password", "b"), ("licenseKey", "c"));
        await ResultAsync("logout");
        Assert.False((bool)(await ResultAsync("valid"))["valid"]!);
        await ResultAsync("close");
        Assert.Equal("UNSUPPORTED", await CodeAsync("dance"));
        _input.Lines.Writer.Complete();
        await _running;
    }

    [Fact]
    public async Task Files_errors_and_events_are_told()
    {
        await CreateAsync();
        _server.Next("init", Answer.Error(429, "RATE_LIMITED", ",\"retryAfterSeconds\":5"));
        JsonNode limited = await DoAsync("init");
        Assert.Equal(
            ("RATE_LIMITED", 429, "No: RATE_LIMITED", 5),
            ((string)limited["code"]!, (int)limited["status"]!, (string)limited["message"]!, (int)limited["retryAfter"]!));
        await ResultAsync("license", ("key", "KEY"));
        _server.Next("download", _server.Files.Offer());
        string path = Path.GetTempFileName();
        JsonNode file = await ResultAsync("download", ("fileId", "f"), ("path", path));
        Assert.Equal(_server.Files.Sha256, (string)file["sha256"]!);
        Assert.Equal(300_000, (int)file["size"]!);
        File.Delete(path);
        _server.Next("heartbeat", Answer.Error(403, "USER_BANNED"));
        Assert.Equal("USER_BANNED", await CodeAsync("heartbeat"));
        await Patience.UntilAsync(() => _output.Lines().Any(line => line.Contains("\"event\":\"lost\"")));
        Assert.Contains("USER_BANNED", _output.Lines().Single(line => line.Contains("\"event\"")));
        _input.Lines.Writer.Complete();
        await _running;
    }

    [Fact]
    public async Task Requests_run_side_by_side_and_can_be_canceled()
    {
        await CreateAsync();
        Task never = new TaskCompletionSource().Task;
        _server.Always["license"] = Answer.Unsigned(200).After(never);
        _server.Always["login"] = Answer.Unsigned(200).After(never);
        Dictionary<string, object> call = new() { ["do"] = "license", ["key"] = "KEY" };
        Assert.Equal("CANCELLED", await CodeAsync("cancel", ("after", 0.01), ("call", call)));
        int hanging = Send("login", ("username", "a"), ("password", "b"));
        await Patience.UntilAsync(() => _server.Count("login") == 1);
        await ResultAsync("close");
        Assert.Equal("CANCELLED", (string)(await AnswerAsync(hanging))["code"]!);
        _input.Lines.Writer.Complete();
        await _running;
    }

    [Fact]
    public async Task Requests_without_a_client_are_answered()
    {
        Assert.Equal("SESSION_REQUIRED", await CodeAsync("heartbeat"));
        Assert.Equal("INVALID_CONFIGURATION", await CodeAsync("create", ("ownerId", "x")));
        Assert.Equal("HWID_UNAVAILABLE", await CodeAsync("hwid", ("ownerId", "a"), ("machineId", "0")));
        Assert.Equal(
            "This license is banned. Contact the seller.",
            (string)(await ResultAsync("message", ("code", "LICENSE_BANNED"), ("language", "en")))["message"]!);
        _input.Lines.Writer.Complete();
        await _running;
    }

    private sealed class LineReader : TextReader
    {
        public Channel<string> Lines { get; } = Channel.CreateUnbounded<string>();

        public override async Task<string?> ReadLineAsync() =>
            await Lines.Reader.WaitToReadAsync() && Lines.Reader.TryRead(out string? line) ? line : null;
    }

    private sealed class LineWriter : TextWriter
    {
        private readonly List<string> _lines = new();

        public override Encoding Encoding => Encoding.UTF8;

        public override void WriteLine(string? value)
        {
            lock (_lines)
            {
                _lines.Add(value!);
            }
        }

        public string[] Lines()
        {
            lock (_lines)
            {
                return _lines.ToArray();
            }
        }

        public JsonNode? Find(int id) =>
            Lines().Select(line => JsonNode.Parse(line)!).FirstOrDefault(node => (int?)node["id"] == id);
    }
}
