using System;
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
/// Checks that a reply is from the app's server and answers this very request. Holds the root key, at first the pinned
/// one, and the highest serial.
/// </summary>
internal sealed class ReplyVerifier(byte[] rootKey, long highestSerial = 0)
{
    internal const long ToleranceMs = 60_000;
    private readonly object _lock = new();
    private volatile TrustedRoot _trusted = new(rootKey);
    private long _highestSerial = highestSerial;

    /// <summary>Steps 2 to 7 of "Checks by the client" in docs/protocol.md.</summary>
    /// <param name="request">The request that was sent.</param>
    /// <param name="reply">The complete answer.</param>
    /// <param name="nowMs">The corrected clock when the answer was complete, unix milliseconds.</param>
    /// <param name="tookMs">How long the server took to answer.</param>
    /// <exception cref="SignetException">A step failed; a server time that isn't fresh is in the result.</exception>
    internal VerifiedTime Verify(SignetRequest request, Reply reply, long nowMs, double tookMs = 0)
    {
        string kid = reply.Header("x-signet-key");
        string time = reply.Header("x-signet-time");
        string signature = reply.Header("x-signet-signature");
        string certificateText = reply.Header("x-signet-certificate");
        if (kid.Length == 0 || time.Length == 0 || signature.Length == 0 || certificateText.Length == 0)
        {
            throw Unsigned(reply.Status);
        }

        CertifiedKey certified = _trusted.Read(certificateText);
        Certificate certificate = certified.Certificate;
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

        lock (_lock)
        {
            if (certificate.Serial < _highestSerial - 1)
            {
                throw new SignetException(SignetCode.UnknownKey, "The server signs with a key that was replaced.");
            }

            if (tookMs > ToleranceMs)
            {
                throw new SignetException(
                    SignetCode.StaleResponse, "The server's answer was held back for more than a minute.");
            }

            bool isFresh = Math.Abs(serverTimeMs - nowMs) <= ToleranceMs || IsClockError(reply);
            if (isFresh)
            {
                Follow(certified.RootKey, certificateText);
                _highestSerial = Math.Max(_highestSerial, certificate.Serial);
            }

            return new VerifiedTime(serverTimeMs, isFresh);
        }
    }

    /// <summary>From the first reply under an announced root key on, the keys before it count no more.</summary>
    private void Follow(byte[] root, string certificateText)
    {
        if (ReferenceEquals(root, _trusted.Key))
        {
            return;
        }

        // Another reply may have moved the root while this one was checked.
        byte[] newest = _trusted.Read(certificateText).RootKey;
        if (!ReferenceEquals(newest, _trusted.Key))
        {
            _trusted = new TrustedRoot(newest);
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
