using System;
using System.Collections.Generic;
using System.IO;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Threading;
using System.Threading.Tasks;

namespace Signet.Client.Conformance;

/// <summary>Handles the requests of a conformance test concurrently, for one client at a time.</summary>
internal sealed class Runner(TextReader input, TextWriter output, TextWriter log)
{
    private readonly object _lock = new();
    private SignetClient? _client;

    internal async Task RunAsync()
    {
        List<Task> running = new();
        while (await input.ReadLineAsync().ConfigureAwait(false) is { } line)
        {
            if (line.Trim().Length > 0)
            {
                running.RemoveAll(task => task.IsCompleted);
                JsonElement request = JsonDocument.Parse(line).RootElement;
                running.Add(Task.Run(() => AnswerAsync(request)));
            }
        }

        if (_client != null)
        {
            await _client.CloseAsync().ConfigureAwait(false);
        }

        await Task.WhenAll(running).ConfigureAwait(false);
    }

    private async Task AnswerAsync(JsonElement request)
    {
        JsonObject answer;
        try
        {
            JsonObject result = await DoAsync(request, CancellationToken.None).ConfigureAwait(false);
            answer = new JsonObject { ["ok"] = true, ["result"] = result };
        }
        catch (SignetException error)
        {
            answer = Failure(error.CodeText, error.Status, error.Message);
            if (error.RetryAfter is { } wait)
            {
                answer["retryAfter"] = wait.TotalSeconds;
            }
        }
        catch (OperationCanceledException error)
        {
            answer = Failure("CANCELLED", 0, error.Message);
        }
        catch (NotSupportedException error)
        {
            answer = Failure("UNSUPPORTED", 0, error.Message);
        }
        catch (Exception error) when (error is ObjectDisposedException or InvalidOperationException)
        {
            answer = Failure("SESSION_REQUIRED", 0, error.Message);
        }
        catch (Exception error)
        {
            log.WriteLine(error);
            answer = Failure("INTERNAL", 0, error.Message);
        }

        answer["id"] = JsonNode.Parse(request.GetProperty("id").GetRawText());
        Write(answer);
    }

    private async Task<JsonObject> DoAsync(JsonElement request, CancellationToken cancellation)
    {
        string name = request.Text("do");
        switch (name)
        {
            case "create":
                Create(request);
                return new JsonObject();
            case "vectors":
                return VectorResults.Run(request.Text("dir"));
            case "hwid":
                return new JsonObject { ["hwid"] = HardwareId.Of(request.Text("ownerId"), request.Text("machineId")) };
            case "message":
                return new JsonObject
                {
                    ["message"] = SignetMessages.Find(
                        request.Text("code"), ClientOptions.Language(request.Text("language"))),
                };
            case "cancel":
                return await CancelAsync(request).ConfigureAwait(false);
            default:
                SignetClient client = _client ?? throw new InvalidOperationException("There is no client.");
                return await ClientCalls.DoAsync(client, name, request, cancellation).ConfigureAwait(false);
        }
    }

    private void Create(JsonElement request)
    {
        SignetOptions options = ClientOptions.Read(request);
        options.OnLost = error => Write(new JsonObject { ["event"] = "lost", ["code"] = error.CodeText });
        options.OnInterrupted = error => Write(new JsonObject { ["event"] = "interrupted", ["code"] = error.CodeText });
        options.OnResumed = () => Write(new JsonObject { ["event"] = "resumed" });
        SignetClient? previous = Interlocked.Exchange(ref _client, new SignetClient(options));
        _ = previous?.CloseAsync();
    }

    private async Task<JsonObject> CancelAsync(JsonElement request)
    {
        using CancellationTokenSource source = new();
        Task<JsonObject> call = DoAsync(request.GetProperty("call"), source.Token);
        source.CancelAfter(TimeSpan.FromSeconds(request.GetProperty("after").GetDouble()));
        return await call.ConfigureAwait(false);
    }

    private static JsonObject Failure(string code, int status, string message) =>
        new() { ["ok"] = false, ["code"] = code, ["status"] = status, ["message"] = message };

    private void Write(JsonObject line)
    {
        lock (_lock)
        {
            output.WriteLine(line.ToJsonString());
            output.Flush();
        }
    }
}
