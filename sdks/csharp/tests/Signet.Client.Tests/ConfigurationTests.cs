using System;
using Xunit;

namespace Signet.Client.Tests;

/// <summary>A client with settings that can't work, or don't protect, isn't created.</summary>
public sealed class ConfigurationTests : IDisposable
{
    private readonly TestServer _server = new();

    public void Dispose() => _server.Dispose();

    [Theory]
    [InlineData("http://signet.example.com")]
    [InlineData("http://192.168.1.7:8080")]
    [InlineData("http://localhost.example.com")]
    public void Plain_http_to_another_machine_needs_the_option(string url)
    {
        TestClients.AssertInvalid(() => _server.NewClient(options => options.ServerUrl = url));
        _server.NewClient(options =>
        {
            options.ServerUrl = url;
            options.AllowHttp = true;
        }).Dispose();
    }

    [Theory]
    [InlineData("http://127.0.0.1:3000")]
    [InlineData("http://localhost:3000/")]
    [InlineData("http://[::1]:3000")]
    [InlineData("https://signet.example.com")]
    [InlineData("https://signet.example.com:8443/")]
    public void A_server_is_scheme_host_and_port(string url) =>
        _server.NewClient(options => options.ServerUrl = url).Dispose();

    [Theory]
    [InlineData("")]
    [InlineData("signet.example.com")]
    [InlineData("ftp://signet.example.com")]
    [InlineData("https://signet.example.com/path")]
    [InlineData("https://signet.example.com/?a=1")]
    [InlineData("https://signet.example.com?")]
    [InlineData("https://signet.example.com/#a")]
    [InlineData("https://user@signet.example.com")]
    [InlineData("https://")]
    [InlineData("file:///etc/passwd")]
    public void Another_address_is_rejected(string url) =>
        TestClients.AssertInvalid(() => _server.NewClient(options => options.ServerUrl = url));

    [Fact]
    public void Each_setting_is_checked()
    {
        Action<SignetOptions>[] changes =
        {
            options => options.OwnerId = "Ab3dE6gH1",
            options => options.OwnerId = "Ab3dE6gH1é",
            options => options.OwnerId = null!,
            options => options.AppName = string.Empty,
            options => options.AppName = "\uD800",
            options => options.Version = string.Empty,
            options => options.VerificationKey = options.SealingKey + "A",
            options => options.VerificationKey = "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            options => options.SealingKey = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            options => options.SealingKey = null!,
            options => options.Timeout = TimeSpan.Zero,
            options => options.Timeout = TimeSpan.FromDays(100),
            options => options.Grace = TimeSpan.FromSeconds(-1),
            options => options.Grace = TimeSpan.Zero,
            options => options.HeartbeatInterval = TimeSpan.FromSeconds(-1),
            options => options.Hwid = string.Empty,
            options => options.Fingerprints.Add("00"),
            options => options.Fingerprints.Add(new string('0', 64)),
        };
        foreach (Action<SignetOptions> change in changes)
        {
            TestClients.AssertInvalid(() => _server.NewClient(change));
        }

        _server.NewClient().Dispose();
    }

    [Fact]
    public void A_program_hash_is_a_SHA256()
    {
        TestClients.AssertInvalid(() => ProgramHash.FromHex("00"));
        TestClients.AssertInvalid(() => ProgramHash.FromHex(new string('g', 64)));
        Assert.Equal(new string('a', 64), ProgramHash.FromHex(new string('A', 64)).Compute());
        Assert.Equal(64, ProgramHash.RunningProgram.Compute().Length);
        SignetException error = Assert.Throws<SignetException>(() => ProgramHash.OfFile("/no/such/file").Compute());
        Assert.Equal(SignetCode.ProgramNotFound, error.Code);
    }

    [Fact]
    public void The_error_of_a_constructor_speaks_the_customers_language()
    {
        SignetException error = Assert.Throws<SignetException>(() => _server.NewClient(options =>
        {
            options.OwnerId = "x";
            options.Language = SignetLanguage.Spanish;
        }));
        Assert.Equal(SignetMessages.Find("INVALID_CONFIGURATION", SignetLanguage.Spanish), error.CustomerMessage);
    }
}
