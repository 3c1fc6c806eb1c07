using System;
using System.Text;
using Signet.Client.Net;
using Signet.Client.Protocol;
using Signet.Client.Sessions;

namespace Signet.Client;

/// <summary>The options of a client, checked and copied.</summary>
internal sealed class ClientConfiguration
{
    private static readonly TimeSpan MaxTime = TimeSpan.FromDays(24);

    /// <exception cref="SignetException"><c>INVALID_CONFIGURATION</c></exception>
    internal ClientConfiguration(SignetOptions options)
    {
        OwnerId = options.OwnerId;
        Require(IsOwnerId(OwnerId), "OwnerId is 10 letters and digits.");
        Require(IsText(options.AppName), "AppName is missing or isn't valid text.");
        Require(IsText(options.Version), "Version is missing or isn't valid text.");
        Require(options.Hwid is null || IsText(options.Hwid), "Hwid is empty or isn't valid text.");
        App = Wire.AppHeader(OwnerId, options.AppName);
        Version = options.Version;
        Hwid = options.Hwid;
        RootKey = PublicKeys.ReadEd25519(options.VerificationKey ?? string.Empty)
            ?? throw Invalid("VerificationKey is not a usable Ed25519 public key of 43 characters.");
        byte[] sealingKey = PublicKeys.ReadX25519(options.SealingKey ?? string.Empty)
            ?? throw Invalid("SealingKey is not a usable X25519 public key of 43 characters.");
        SealTo = options.SealRequests ? sealingKey : null;
        Server = ReadServerUrl(options.ServerUrl ?? string.Empty, options.AllowHttp);
        Trust = new ServerTrust(options.Fingerprints, options.CertificateAuthority);
        bool isEncrypted = Server.Scheme == Uri.UriSchemeHttps;
        Require(isEncrypted || !Trust.HasFingerprints, "Fingerprints need an https:// ServerUrl.");
        Require(
            isEncrypted || options.CertificateAuthority is null, "CertificateAuthority needs an https:// ServerUrl.");
        Require(options.Timeout > TimeSpan.Zero && options.Timeout <= MaxTime, "Timeout is a positive time.");
        Require(options.Grace > TimeSpan.Zero && options.Grace <= MaxTime, "Grace is a positive time.");
        TimeSpan interval = options.HeartbeatInterval ?? TimeSpan.Zero;
        Require(interval >= TimeSpan.Zero && interval <= MaxTime, "HeartbeatInterval is a positive time, or null.");
        Timeout = options.Timeout;
        Rhythm = interval == TimeSpan.Zero ? null : new HeartbeatRhythm(interval, options.Grace);
        ProgramHash = options.ProgramHash;
    }

    internal string OwnerId { get; }

    internal string App { get; }

    internal string Version { get; }

    internal string? Hwid { get; }

    internal byte[] RootKey { get; }

    /// <summary>Null if requests aren't sealed.</summary>
    internal byte[]? SealTo { get; }

    internal Uri Server { get; }

    internal ServerTrust Trust { get; }

    internal TimeSpan Timeout { get; }

    /// <summary>Null without a background heartbeat.</summary>
    internal HeartbeatRhythm? Rhythm { get; }

    internal ProgramHash? ProgramHash { get; }

    private static Uri ReadServerUrl(string text, bool allowHttp)
    {
        bool isUrl = Uri.TryCreate(text, UriKind.Absolute, out Uri? url)
            && (url.Scheme == Uri.UriSchemeHttps || url.Scheme == Uri.UriSchemeHttp)
            && url.Host.Length > 0;
        Require(isUrl, "ServerUrl is an address like https://signet.example.com.");
        bool isOrigin = url!.AbsolutePath == "/" && url.Query.Length == 0 && url.Fragment.Length == 0
            && url.UserInfo.Length == 0 && text.IndexOfAny(['?', '#', '@', '\\', ' ']) < 0;
        Require(isOrigin, "ServerUrl has no more than scheme, host, and port.");
        Require(
            url.Scheme == Uri.UriSchemeHttps || Transport.IsThisMachine(url) || allowHttp,
            "ServerUrl starts with https:// unless the server is on this machine or AllowHttp is set.");
        return url;
    }

    private static bool IsOwnerId(string? text)
    {
        if (text is null || text.Length != 10)
        {
            return false;
        }

        foreach (char character in text)
        {
            if (!(character is >= 'A' and <= 'Z' or >= 'a' and <= 'z' or >= '0' and <= '9'))
            {
                return false;
            }
        }

        return true;
    }

    private static bool IsText(string? text)
    {
        try
        {
            return !string.IsNullOrEmpty(text) && Wire.Utf8.GetByteCount(text!) > 0;
        }
        catch (EncoderFallbackException)
        {
            return false;
        }
    }

    private static void Require(bool isValid, string message)
    {
        if (!isValid)
        {
            throw Invalid(message);
        }
    }

    private static SignetException Invalid(string message) => new(SignetCode.InvalidConfiguration, message);
}
