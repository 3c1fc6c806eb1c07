using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using Signet.Client.Protocol;
using Signet.Client.Testing;

namespace Signet.Client.Tests;

/// <summary>One call that a server received.</summary>
internal sealed record ReceivedCall(
    string Name, JsonElement Fields, string? Session, string Nonce, IReadOnlyDictionary<string, string> Headers)
{
    internal string Text(string field) => Fields.GetProperty(field).GetString()!;
}

/// <summary>A small Signet server on a real socket. It is honest unless a test tells it what to answer.</summary>
internal sealed class TestServer : IDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly ConcurrentDictionary<string, ConcurrentQueue<Answer>> _next = new();
    private readonly ConcurrentBag<TcpClient> _connections = new();
    private readonly CancellationTokenSource _stop = new();
    private readonly Func<Stream, Task<Stream>> _secure;

    internal TestServer(ManualClock? clock = null, Func<Stream, Task<Stream>>? secure = null)
    {
        Clock = clock ?? new ManualClock();
        _secure = secure ?? Task.FromResult<Stream>;
        Honest = new HonestAnswers(Clock);
        _listener.Start();
        _ = AcceptAsync();
    }

    internal ManualClock Clock { get; }

    internal ServerIdentity Identity { get; } = new();

    internal HonestAnswers Honest { get; }

    internal TestFiles Files { get; } = new();

    /// <summary>Answers that stay until they are removed.</summary>
    internal ConcurrentDictionary<string, Answer> Always { get; } = new();

    internal ConcurrentQueue<ReceivedCall> Calls { get; } = new();

    internal int ConnectionCount => _connections.Count;

    internal int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    internal string Url => $"http://127.0.0.1:{Port}";

    internal string[] CallNames => Calls.Select(call => call.Name).ToArray();

    /// <summary>The answer to the next call of that name.</summary>
    internal void Next(string name, params Answer[] answers)
    {
        foreach (Answer answer in answers)
        {
            _next.GetOrAdd(name, _ => new ConcurrentQueue<Answer>()).Enqueue(answer);
        }
    }

    internal int Count(string name) => Calls.Count(call => call.Name == name);

    internal ReceivedCall Latest(string name) => Calls.Last(call => call.Name == name);

    public void Dispose()
    {
        _stop.Cancel();
        _listener.Stop();
        foreach (TcpClient connection in _connections)
        {
            connection.Dispose();
        }
    }

    /// <summary>Ends the connections that are kept alive, as an idle timeout does.</summary>
    internal void DropConnections()
    {
        foreach (TcpClient connection in _connections)
        {
            connection.Dispose();
        }
    }

    private async Task AcceptAsync()
    {
        while (!_stop.IsCancellationRequested)
        {
            try
            {
                TcpClient connection = await _listener.AcceptTcpClientAsync(_stop.Token).ConfigureAwait(false);
                connection.NoDelay = true;
                _connections.Add(connection);
                _ = ServeAsync(connection);
            }
            catch (Exception error) when (error is OperationCanceledException or SocketException)
            {
                return;
            }
        }
    }

    private async Task ServeAsync(TcpClient connection)
    {
        try
        {
            using (connection)
            {
                Stream stream = await _secure(connection.GetStream()).ConfigureAwait(false);
                while (await HttpRequestBytes.ReadAsync(stream).ConfigureAwait(false) is { } request)
                {
                    bool goesOn = request.Method == "GET"
                        ? await Files.AnswerAsync(stream, request).ConfigureAwait(false)
                        : await AnswerAsync(stream, request).ConfigureAwait(false);
                    if (!goesOn)
                    {
                        return;
                    }
                }
            }
        }
        catch (Exception error) when (error is IOException or ObjectDisposedException or SocketException
            or System.Security.Authentication.AuthenticationException)
        {
            // The client hung up.
        }
    }

    private async Task<bool> AnswerAsync(Stream stream, HttpRequestBytes http)
    {
        SignetRequest request = http.ToSignetRequest();
        string name = request.Path.Substring(request.Path.LastIndexOf('/') + 1);
        JsonElement fields = JsonDocument.Parse(Opened(http, request)).RootElement;
        Calls.Enqueue(new ReceivedCall(name, fields, request.Session, request.Nonce, http.Headers));
        Answer answer = _next.TryGetValue(name, out ConcurrentQueue<Answer>? queue) && queue.TryDequeue(out Answer? next)
            ? next
            : Always.TryGetValue(name, out Answer? always) ? always : Honest.To(name, request, fields);
        await answer.Until.ConfigureAwait(false);
        if (answer.IsDropped)
        {
            return false;
        }

        byte[] bytes = answer.Raw ?? Encode(answer, request);
        await stream.WriteAsync(bytes).ConfigureAwait(false);
        await stream.FlushAsync().ConfigureAwait(false);
        return answer.Raw is null;
    }

    private byte[] Opened(HttpRequestBytes http, SignetRequest request)
    {
        if (http.Headers["content-type"] != "application/octet-stream")
        {
            return request.Body;
        }

        byte[] context = SignetRequest.SealingContext(
            request.Path, request.App, request.Nonce, request.Time, request.Session);
        return SealedBody.Open(Identity.Recipient, request.Body, context)
            ?? throw new InvalidOperationException("The body can't be opened.");
    }

    private byte[] Encode(Answer answer, SignetRequest request)
    {
        byte[] body = Encoding.UTF8.GetBytes(answer.Body ?? "{" + answer.Fields + "}");
        Dictionary<string, string?> headers = new() { ["Content-Length"] = body.Length.ToString() };
        if (!answer.IsUnsigned)
        {
            string time = (Clock.UnixMs + Honest.ClockLead.TotalMilliseconds + answer.ClockLead.TotalMilliseconds)
                .ToString("F0");
            headers["X-Signet-Key"] = "k1";
            headers["X-Signet-Time"] = time;
            headers["X-Signet-Signature"] = Identity.SignReply(request, time, answer.Status, body);
            headers["X-Signet-Certificate"] = Identity.Certificate;
        }

        foreach (KeyValuePair<string, string?> header in answer.Headers)
        {
            headers[header.Key] = header.Value;
        }

        StringBuilder head = new($"HTTP/1.1 {answer.Status} Status\r\n");
        foreach (KeyValuePair<string, string?> header in headers.Where(header => header.Value != null))
        {
            head.Append(header.Key).Append(": ").Append(header.Value).Append("\r\n");
        }

        return Encoding.ASCII.GetBytes(head.Append("\r\n").ToString()).Concat(body).ToArray();
    }
}
