using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;

namespace Signet.Client.Protocol;

/// <summary>What a verified reply says about time.</summary>
/// <param name="serverTimeMs">The server's clock, unix milliseconds.</param>
/// <param name="isFresh">Whether it is within 60 s of the corrected clock.</param>
internal readonly struct VerifiedTime(long serverTimeMs, bool isFresh)
{
    internal long ServerTimeMs { get; } = serverTimeMs;

    internal bool IsFresh { get; } = isFresh;
}

/// <summary>
/// Checks that a reply is from the app's server and answers this very request. Holds the verified certificates and the
/// highest serial.
/// </summary>
internal sealed class ReplyVerifier(byte[] rootKey, long highestSerial = 0)
{
    internal const long ToleranceMs = 60_000;
    private const int MaxCertificates = 16;
    private readonly object _lock = new();
    private readonly Dictionary<string, Certificate> _certificates = new(StringComparer.Ordinal);
    private long _highestSerial = highestSerial;

    /// <summary>Steps 2 to 7 of "Checks by the client" in docs/protocol.md.</summary>
    /// <param name="request">The request that was sent.</param>
    /// <param name="reply">The complete answer.</param>
    /// <param name="nowMs">The corrected clock when the answer was complete, unix milliseconds.</param>
    /// <exception cref="SignetException">Step 2 to 6 failed. Step 7 is in the result.</exception>
    internal VerifiedTime Verify(SignetRequest request, Reply reply, long nowMs)
    {
        string kid = reply.Header("x-signet-key");
        string time = reply.Header("x-signet-time");
        string signature = reply.Header("x-signet-signature");
        string certificateText = reply.Header("x-signet-certificate");
        if (kid.Length == 0 || time.Length == 0 || signature.Length == 0 || certificateText.Length == 0)
        {
            throw Unsigned(reply.Status);
        }

        Certificate certificate = FindCertificate(certificateText);
        if (certificate.Kid != kid)
        {
            throw new SignetException(SignetCode.UnknownKey, "The certificate is for another key.");
        }

        if (!IsSigned(request, reply, certificate, time, signature))
        {
            throw new SignetException(
                SignetCode.BadSignature, "The answer was altered on its way, or answers another request.");
        }

        long serverTimeMs = long.Parse(time, NumberStyles.None, CultureInfo.InvariantCulture);
        if (!certificate.IsValidAt(serverTimeMs))
        {
            throw new SignetException(SignetCode.UnknownKey, "The server signs with a key that is out of its time.");
        }

        return CheckFreshness(certificate, reply, serverTimeMs, nowMs);
    }

    private VerifiedTime CheckFreshness(Certificate certificate, Reply reply, long serverTimeMs, long nowMs)
    {
        lock (_lock)
        {
            if (certificate.Serial < _highestSerial - 1)
            {
                throw new SignetException(SignetCode.UnknownKey, "The server signs with a key that was replaced.");
            }

            bool isFresh = Math.Abs(serverTimeMs - nowMs) <= ToleranceMs || IsClockError(reply);
            if (isFresh)
            {
                _highestSerial = Math.Max(_highestSerial, certificate.Serial);
            }

            return new VerifiedTime(serverTimeMs, isFresh);
        }
    }

    private static bool IsSigned(
        SignetRequest request, Reply reply, Certificate certificate, string time, string signatureText)
    {
        if (time.Length > 15 || !time.All(character => character is >= '0' and <= '9'))
        {
            return false;
        }

        byte[] message = Reply.Message(
            request.App, certificate.Kid, request.Hash(), time, reply.Status, reply.Body);
        byte[]? signed = MerklePath.SignedBytes(message, reply.Header("x-signet-path"));
        return signed != null && Signature.IsValid(Base64Url.Decode(signatureText), certificate.PublicKey, signed);
    }

    private Certificate FindCertificate(string text)
    {
        lock (_lock)
        {
            if (_certificates.TryGetValue(text, out Certificate? known))
            {
                return known;
            }
        }

        Certificate certificate = Certificate.Read(text, rootKey);
        lock (_lock)
        {
            if (_certificates.Count >= MaxCertificates)
            {
                _certificates.Clear();
            }

            _certificates[text] = certificate;
        }

        return certificate;
    }

    /// <summary>The one answer whose time may be far from ours: the client learns the server's clock from it.</summary>
    internal static bool IsClockError(Reply reply) =>
        reply.Status == 400
        && ReplyJson.Parse(reply.Body) is { } fields
        && ReplyJson.OptionalText(fields, "code") == "CLOCK_SKEW";

    private static SignetException Unsigned(int status) => new(
        SignetCode.UnsignedResponse,
        status == 429
            ? "The server has too many requests to answer this one. Try again in a minute."
            : "The answer is not signed. Are ServerUrl, OwnerId and AppName right, and is nothing in between?");
}
