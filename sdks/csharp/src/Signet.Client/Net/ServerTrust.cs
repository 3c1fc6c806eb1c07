using System;
using System.Collections.Generic;
using System.Linq;
using System.Net.Http;
using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Signet.Client.Protocol;

namespace Signet.Client.Net;

/// <summary>The checks of the server's TLS certificate beyond the usual ones.</summary>
internal sealed class ServerTrust
{
    private const string ServerAuthentication = "1.3.6.1.5.5.7.3.1";
    private readonly HashSet<string> _fingerprints;
    private readonly X509Certificate2? _authority;
    private volatile bool _hasMismatch;

    internal ServerTrust(IEnumerable<string> fingerprints, X509Certificate2? authority)
    {
        _fingerprints = new HashSet<string>(fingerprints.Select(ReadFingerprint), StringComparer.Ordinal);
        _authority = authority;
    }

    internal bool HasFingerprints => _fingerprints.Count > 0;

    /// <summary>Whether a connection failed because of its fingerprint: no other TLS error came since.</summary>
    internal bool IsMismatch(Exception error)
    {
        for (Exception? cause = error; cause != null; cause = cause.InnerException)
        {
            if (cause is AuthenticationException)
            {
                return _hasMismatch;
            }
        }

        return false;
    }

    /// <summary>Leaves the handler alone where nothing is checked: old runtimes lack the callback.</summary>
#if NET
    internal void Configure(SocketsHttpHandler handler)
    {
        if (HasFingerprints || _authority != null)
        {
            handler.SslOptions.RemoteCertificateValidationCallback =
                (_, certificate, chain, errors) => IsTrusted(certificate as X509Certificate2, chain, errors);
        }
    }
#else
    internal void Configure(HttpClientHandler handler)
    {
        if (HasFingerprints || _authority != null)
        {
            handler.ServerCertificateCustomValidationCallback =
                (_, certificate, chain, errors) => IsTrusted(certificate, chain, errors);
        }
    }
#endif

    internal bool IsTrusted(X509Certificate2? certificate, X509Chain? sentChain, SslPolicyErrors errors)
    {
        _hasMismatch = false;
        if (certificate is null || !HasValidChain(certificate, sentChain, errors))
        {
            return false;
        }

        _hasMismatch = HasFingerprints && !_fingerprints.Contains(Hex.Encode(Wire.Sha256(certificate.RawData)));
        return !_hasMismatch;
    }

    private bool HasValidChain(X509Certificate2 certificate, X509Chain? sentChain, SslPolicyErrors errors)
    {
        if (_authority is null)
        {
            return errors == SslPolicyErrors.None;
        }

        // The name of the host counts with any authority.
        if ((errors & ~SslPolicyErrors.RemoteCertificateChainErrors) != SslPolicyErrors.None)
        {
            return false;
        }

        using X509Chain chain = new();
        chain.ChainPolicy.RevocationMode = X509RevocationMode.NoCheck;
        chain.ChainPolicy.ApplicationPolicy.Add(new Oid(ServerAuthentication));
        foreach (X509ChainElement element in Elements(sentChain))
        {
            chain.ChainPolicy.ExtraStore.Add(element.Certificate);
        }

#if NET
        chain.ChainPolicy.TrustMode = X509ChainTrustMode.CustomRootTrust;
        chain.ChainPolicy.CustomTrustStore.Add(_authority);
        return chain.Build(certificate);
#else
        chain.ChainPolicy.ExtraStore.Add(_authority);
        chain.ChainPolicy.VerificationFlags = X509VerificationFlags.AllowUnknownCertificateAuthority;
        return chain.Build(certificate)
            && chain.ChainStatus.All(status => status.Status == X509ChainStatusFlags.UntrustedRoot)
            && Elements(chain).LastOrDefault() is { } root
            && root.Certificate.RawData.SequenceEqual(_authority.RawData);
#endif
    }

    private static IEnumerable<X509ChainElement> Elements(X509Chain? chain) =>
        chain is null ? Enumerable.Empty<X509ChainElement>() : chain.ChainElements.Cast<X509ChainElement>();

    private static string ReadFingerprint(string text)
    {
        string fingerprint = (text ?? string.Empty).Trim().Replace(":", string.Empty).ToLowerInvariant();
        return Hex.IsSha256(fingerprint)
            ? fingerprint
            : throw new SignetException(
                SignetCode.InvalidConfiguration,
                "A fingerprint is the SHA-256 of a certificate: 64 hexadecimal digits.");
    }
}
