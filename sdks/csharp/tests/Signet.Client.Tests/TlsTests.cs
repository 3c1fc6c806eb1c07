using System;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Threading.Tasks;
using Xunit;

namespace Signet.Client.Tests;

/// <summary>TLS certificates: the usual checks always, your own authority and fingerprints in addition.</summary>
public sealed class TlsTests : IDisposable
{
    private readonly X509Certificate2 _authority = CreateAuthority("Test authority");
    private readonly X509Certificate2 _certificate;
    private readonly TestServer _server;

    public TlsTests()
    {
        _certificate = CreateServerCertificate(_authority, IPAddress.Loopback);
        _server = new TestServer(secure: SecureAsync);
    }

    private string Fingerprint => _certificate.GetCertHashString(HashAlgorithmName.SHA256);

    public void Dispose() => _server.Dispose();

    private SignetClient NewClient(Action<SignetOptions> change) => _server.NewClient(options =>
    {
        options.ServerUrl = $"https://127.0.0.1:{_server.Port}";
        change(options);
    });

    private async Task FailsAsync(SignetCode code, Action<SignetOptions> change)
    {
        using SignetClient client = NewClient(change);
        await client.InitAsync().FailsAsync(code);
        Assert.Empty(_server.Calls);
    }

    [Fact]
    public async Task Your_own_authority_is_trusted_if_it_is_set()
    {
        await FailsAsync(SignetCode.Network, _ => { });
        using SignetClient client = NewClient(options => options.CertificateAuthority = _authority);
        await client.LicenseAsync("KEY");
        Assert.True(client.IsValid);
    }

    [Fact]
    public Task Another_authority_of_the_same_name_is_not_trusted() => FailsAsync(
        SignetCode.Network, options => options.CertificateAuthority = CreateAuthority("Test authority"));

    [Fact]
    public async Task The_name_of_the_server_counts()
    {
        using TestServer other = new(
            secure: stream => SecureAsync(stream, CreateServerCertificate(_authority, IPAddress.Parse("10.0.0.1"))));
        using SignetClient client = other.NewClient(options =>
        {
            options.ServerUrl = $"https://127.0.0.1:{other.Port}";
            options.CertificateAuthority = _authority;
        });
        await client.InitAsync().FailsAsync(SignetCode.Network);
        Assert.Empty(other.Calls);
    }

    [Fact]
    public async Task A_fingerprint_is_checked_before_anything_is_sent()
    {
        await FailsAsync(SignetCode.FingerprintMismatch, options =>
        {
            options.CertificateAuthority = _authority;
            options.Fingerprints.Add(new string('0', 64));
        });
        string colons = string.Join(":", Fingerprint.Chunk(2).Select(pair => new string(pair)));
        using SignetClient client = NewClient(options =>
        {
            options.CertificateAuthority = _authority;
            options.Fingerprints.Add(new string('1', 64));
            options.Fingerprints.Add(" " + colons.ToLowerInvariant());
        });
        await client.InitAsync();
    }

    [Fact]
    public async Task A_server_that_stops_after_a_mismatch_is_out_of_reach()
    {
        TestServer other = new(secure: SecureAsync);
        using SignetClient client = other.NewClient(options =>
        {
            options.ServerUrl = $"https://127.0.0.1:{other.Port}";
            options.CertificateAuthority = _authority;
            options.Fingerprints.Add(new string('0', 64));
        });
        await client.InitAsync().FailsAsync(SignetCode.FingerprintMismatch);
        other.Dispose();
        await client.InitAsync().FailsAsync(SignetCode.Network);
    }

    [Fact]
    public Task A_fingerprint_does_not_replace_the_usual_checks() =>
        FailsAsync(SignetCode.Network, options => options.Fingerprints.Add(Fingerprint));

    private Task<Stream> SecureAsync(Stream stream) => SecureAsync(stream, _certificate);

    private static async Task<Stream> SecureAsync(Stream stream, X509Certificate2 certificate)
    {
        SslStream secure = new(stream);
        await secure.AuthenticateAsServerAsync(certificate).ConfigureAwait(false);
        return secure;
    }

    private static X509Certificate2 CreateAuthority(string name)
    {
        using ECDsa key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        CertificateRequest request = new($"CN={name}", key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.KeyCertSign, true));
        return request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(9));
    }

    private static X509Certificate2 CreateServerCertificate(X509Certificate2 authority, IPAddress address)
    {
        using ECDsa key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        CertificateRequest request = new("CN=server", key, HashAlgorithmName.SHA256);
        SubjectAlternativeNameBuilder names = new();
        names.AddIpAddress(address);
        request.CertificateExtensions.Add(names.Build());
        request.CertificateExtensions.Add(
            new X509EnhancedKeyUsageExtension(new OidCollection { new Oid("1.3.6.1.5.5.7.3.1") }, false));
        X509Certificate2 issued = request.Create(
            authority, DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(8), RandomNumberGenerator.GetBytes(8));
        using X509Certificate2 withKey = issued.CopyWithPrivateKey(key);
        return X509CertificateLoader.LoadPkcs12(withKey.Export(X509ContentType.Pkcs12), null);
    }
}
