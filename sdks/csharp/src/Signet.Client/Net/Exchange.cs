using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using Signet.Client.Protocol;
using Signet.Client.Sessions;

namespace Signet.Client.Net;

/// <summary>One call: builds the request, sends it, and believes the answer only if all checks pass.</summary>
internal sealed class Exchange(string app, ITransport transport, ReplyVerifier verifier, byte[]? sealTo, Clock clock)
{
    internal const string Sdk = "csharp/0.1.0";
    private const string PathPrefix = "/api/1.0/client/";

    private static readonly HashSet<string> Repeatable = new(StringComparer.Ordinal)
    {
        "init", "heartbeat", "renew", "variable", "user-variable", "download",
    };

    private long _offsetMs;

    /// <summary>The computer's clock, corrected by what the server said about its own; unix milliseconds.</summary>
    internal long NowMs => clock.UnixMs + Interlocked.Read(ref _offsetMs);

    /// <summary>The fields of a verified success.</summary>
    /// <exception cref="SignetException">A verified error, or an answer that isn't verified.</exception>
    internal async Task<JsonElement> CallAsync(
        string name, byte[] body, string? session, CancellationToken cancellation)
    {
        bool isClockUsed = false;
        bool isNonceUsed = false;
        while (true)
        {
            try
            {
                return await AskAsync(PathPrefix + name, body, session, cancellation).ConfigureAwait(false);
            }
            catch (SignetException error) when (!isClockUsed && CanRepeatWithClock(name, error))
            {
                isClockUsed = true;
            }
            catch (SignetException error) when (!isNonceUsed && CanRepeatWithNonce(name, error))
            {
                isNonceUsed = true;
            }
        }
    }

    /// <summary>
    /// A clock error says that nothing was done; a stale answer doesn't, so a key might be used up twice.
    /// </summary>
    private static bool CanRepeatWithClock(string name, SignetException error) =>
        error.IsClockCorrected && (error.Code == SignetCode.ClockSkew || Repeatable.Contains(name));

    private static bool CanRepeatWithNonce(string name, SignetException error) =>
        error.Code == SignetCode.NonceReused && error.Status != 0 && Repeatable.Contains(name);

    private async Task<JsonElement> AskAsync(
        string path, byte[] body, string? session, CancellationToken cancellation)
    {
        SignetRequest request = CreateRequest(path, body, session);
        TimeSpan started = clock.Monotonic;
        long startedMs = clock.UnixMs;
        string contentType = sealTo is null ? "application/json" : "application/octet-stream";
        Reply reply = await transport
            .PostAsync(request, contentType, "signet-" + Sdk, cancellation)
            .ConfigureAwait(false);

        long finishedMs = clock.UnixMs;
        double tookMs = (clock.Monotonic - started).TotalMilliseconds;

        // The computer may have slept meanwhile, which a monotonic clock doesn't always count.
        double longestMs = Math.Max(tookMs, finishedMs - startedMs);
        long nowMs = finishedMs + Interlocked.Read(ref _offsetMs);
        VerifiedTime time = verifier.Verify(request, reply, nowMs, longestMs);
        long offsetMs = time.ServerTimeMs + (long)(tookMs / 2) - finishedMs;
        if (!time.IsFresh)
        {
            Interlocked.Exchange(ref _offsetMs, offsetMs);
            throw new SignetException(
                SignetCode.StaleResponse, "The server's answer is not of now. Is the clock of this computer right?")
            {
                IsClockCorrected = true,
            };
        }

        try
        {
            return ReplyContent.Read(reply);
        }
        catch (SignetException error) when (ReplyVerifier.IsClockError(reply))
        {
            Interlocked.Exchange(ref _offsetMs, offsetMs);
            error.IsClockCorrected = true;
            throw;
        }
    }

    private SignetRequest CreateRequest(string path, byte[] body, string? session)
    {
        string nonce = SignetRequest.NewNonce();
        string time = NowMs.ToString(CultureInfo.InvariantCulture);
        if (sealTo != null)
        {
            body = Hpke.Seal(sealTo, body, SignetRequest.SealingContext(path, app, nonce, time, session));
        }

        return new SignetRequest(path, app, nonce, time, session, body);
    }
}
