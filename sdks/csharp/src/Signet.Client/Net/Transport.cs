using System;
using System.Collections.Generic;
using System.IO;
using System.Net;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;
using Signet.Client.Protocol;

namespace Signet.Client.Net;

/// <summary>Sends bytes and returns the answer as it was received.</summary>
internal interface ITransport : IDisposable
{
    /// <exception cref="SignetException"><c>NETWORK</c> or <c>FINGERPRINT_MISMATCH</c></exception>
    Task<Reply> PostAsync(
        SignetRequest request, string contentType, string userAgent, CancellationToken cancellation);

    /// <summary>
    /// The bytes of a file from <paramref name="start"/> on, or from 0 where the server gives no part.
    /// </summary>
    /// <exception cref="SignetException"><c>NETWORK</c> or <c>FINGERPRINT_MISMATCH</c></exception>
    Task<FileAnswer> OpenFileAsync(string path, long start, string sha256, CancellationToken cancellation);
}

/// <summary>HTTP to one server, over <see cref="HttpClient"/>.</summary>
internal sealed class Transport : ITransport
{
    internal const int MaxBodyBytes = 1024 * 1024;
    private const int MaxHeaderKilobytes = 64;
    private readonly Uri _server;
    private readonly ServerTrust _trust;
    private readonly HttpClient _http;
    private volatile bool _hasAnswered;

    internal Transport(Uri server, ServerTrust trust, IWebProxy? proxy)
    {
        _server = server;
        _trust = trust;
#if NET
        SocketsHttpHandler handler = new()
        {
            ConnectCallback = AddressRace.ConnectAsync,
#else
        HttpClientHandler handler = new()
        {
#endif
            AllowAutoRedirect = false,
            UseCookies = false,
            AutomaticDecompression = DecompressionMethods.None,
            MaxResponseHeadersLength = MaxHeaderKilobytes,
            UseProxy = !IsThisMachine(server),
        };
        if (proxy != null && handler.UseProxy)
        {
            handler.Proxy = proxy;
        }

        trust.Configure(handler);
        _http = new HttpClient(handler) { Timeout = Timeout.InfiniteTimeSpan };
        _http.DefaultRequestHeaders.ExpectContinue = false;
    }

    public async Task<Reply> PostAsync(
        SignetRequest request, string contentType, string userAgent, CancellationToken cancellation)
    {
        try
        {
            HttpResponseMessage response;
            try
            {
                response = await SendAsync(request, contentType, userAgent, cancellation).ConfigureAwait(false);
            }
            catch (Exception error) when (
                _hasAnswered && !cancellation.IsCancellationRequested && DroppedConnection.Caused(error))
            {
                // The very same bytes: if the server has received them already, their nonce is used up.
                response = await SendAsync(request, contentType, userAgent, cancellation).ConfigureAwait(false);
            }

            using (response)
            using (cancellation.Register(response.Dispose))
            {
                byte[] body = await ReadBodyAsync(response.Content, cancellation).ConfigureAwait(false);
                _hasAnswered = true;
                return new Reply((int)response.StatusCode, SignetHeaders(response.Headers), body);
            }
        }
        catch (Exception error) when (IsNetworkError(error))
        {
            throw NetworkError(error, cancellation);
        }
    }

    public async Task<FileAnswer> OpenFileAsync(
        string path, long start, string sha256, CancellationToken cancellation)
    {
        using HttpRequestMessage message = new(HttpMethod.Get, new Uri(_server, path));
        if (start > 0)
        {
            message.Headers.Range = new RangeHeaderValue(start, null);
            message.Headers.IfRange = new RangeConditionHeaderValue($"\"{sha256}\"");
        }

        HttpResponseMessage? response = null;
        try
        {
            response = await _http
                .SendAsync(message, HttpCompletionOption.ResponseHeadersRead, cancellation)
                .ConfigureAwait(false);
            bool isRest = response.StatusCode == HttpStatusCode.PartialContent
                && response.Content.Headers.ContentRange?.From == start
                && start > 0;
            if (response.StatusCode != HttpStatusCode.OK && !isRest)
            {
                int status = (int)response.StatusCode;
                throw new SignetException(SignetCode.Network, $"The server answered {status} instead of the file.")
                {
                    IsNotTheFile = status != 429 && status < 500,
                };
            }

            Stream stream = await response.Content.ReadAsStreamAsync(
#if NET
                cancellation
#endif
            ).ConfigureAwait(false);
            FileAnswer answer = new(isRest ? start : 0, response, stream);
            response = null;
            return answer;
        }
        catch (Exception error) when (IsNetworkError(error))
        {
            throw NetworkError(error, cancellation);
        }
        finally
        {
            response?.Dispose();
        }
    }

    public void Dispose() => _http.Dispose();

    internal static bool IsThisMachine(Uri url) =>
        string.Equals(url.Host, "localhost", StringComparison.OrdinalIgnoreCase)
        || (IPAddress.TryParse(url.Host.Trim('[', ']'), out IPAddress? address) && IPAddress.IsLoopback(address));

    /// <summary>Whether an exception means that no complete answer arrived.</summary>
    internal static bool IsNetworkError(Exception error) =>
        error is HttpRequestException or IOException or ObjectDisposedException or InvalidOperationException
            or SocketException or WebException or OperationCanceledException;

    /// <summary><c>NETWORK</c>, unless it was the cancellation.</summary>
    internal static Exception NetworkFailure(Exception error, CancellationToken cancellation) =>
        cancellation.IsCancellationRequested
            ? new OperationCanceledException(error.Message, error, cancellation)
            : new SignetException(SignetCode.Network, $"The server can't be reached: {Reason(error)}", error);

    private async Task<HttpResponseMessage> SendAsync(
        SignetRequest request, string contentType, string userAgent, CancellationToken cancellation)
    {
        using HttpRequestMessage message = new(HttpMethod.Post, new Uri(_server, request.Path));
        message.Content = new ByteArrayContent(request.Body);
        message.Content.Headers.ContentType = new MediaTypeHeaderValue(contentType);
        message.Headers.TryAddWithoutValidation("User-Agent", userAgent);
        message.Headers.TryAddWithoutValidation("X-Signet-App", request.App);
        message.Headers.TryAddWithoutValidation("X-Signet-Nonce", request.Nonce);
        message.Headers.TryAddWithoutValidation("X-Signet-Time", request.Time);
        if (request.Session != null)
        {
            message.Headers.TryAddWithoutValidation("X-Signet-Session", request.Session);
        }

        return await _http
            .SendAsync(message, HttpCompletionOption.ResponseHeadersRead, cancellation)
            .ConfigureAwait(false);
    }

    private static async Task<byte[]> ReadBodyAsync(HttpContent content, CancellationToken cancellation)
    {
        long? announced = content.Headers.ContentLength;
        if (announced > MaxBodyBytes)
        {
            throw TooLarge();
        }

        using Stream stream = await content.ReadAsStreamAsync(
#if NET
            cancellation
#endif
        ).ConfigureAwait(false);
        using MemoryStream body = new();
        byte[] buffer = new byte[16 * 1024];
        int count;
        while ((count = await ReadAsync(stream, buffer, cancellation).ConfigureAwait(false)) > 0)
        {
            if (body.Length + count > MaxBodyBytes)
            {
                throw TooLarge();
            }

            body.Write(buffer, 0, count);
        }

        // Old runtimes don't notice an answer that was cut off.
        return announced is null || announced == body.Length
            ? body.ToArray()
            : throw new SignetException(SignetCode.Network, "The answer was cut off.");
    }

    internal static Task<int> ReadAsync(Stream stream, byte[] buffer, CancellationToken cancellation) =>
#if NET
        stream.ReadAsync(buffer.AsMemory(), cancellation).AsTask();
#else
        stream.ReadAsync(buffer, 0, buffer.Length, cancellation);
#endif

    /// <summary>A header that was sent twice is joined, which no check accepts.</summary>
    private static Dictionary<string, string> SignetHeaders(HttpResponseHeaders headers)
    {
        Dictionary<string, string> result = new(StringComparer.Ordinal);
        foreach (string name in new[] { "key", "time", "signature", "certificate", "path" })
        {
            if (headers.TryGetValues($"X-Signet-{name}", out IEnumerable<string>? values))
            {
                result[$"x-signet-{name}"] = string.Join(", ", values);
            }
        }

        return result;
    }

    private Exception NetworkError(Exception error, CancellationToken cancellation) =>
        _trust.IsMismatch(error) && !cancellation.IsCancellationRequested
            ? new SignetException(
                SignetCode.FingerprintMismatch,
                "The server's TLS certificate has none of the fingerprints in Fingerprints.",
                error)
            : NetworkFailure(error, cancellation);

    private static SignetException TooLarge() =>
        new(SignetCode.Network, "The answer is larger than any answer of a Signet server.");

    private static string Reason(Exception error)
    {
        while (error.InnerException != null)
        {
            error = error.InnerException;
        }

        return error.Message;
    }
}
