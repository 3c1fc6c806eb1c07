using System;
using System.Linq;
using System.Text;
using System.Threading.Tasks;
using Xunit;

namespace Signet.Client.Tests;

/// <summary>Whatever a fake server or something in between sends, it isn't believed, and nothing breaks.</summary>
public sealed class HostileServerTests : IDisposable
{
    private readonly TestServer _server = new();

    public void Dispose() => _server.Dispose();

    private async Task HeartbeatFailsAsync(Answer answer, SignetCode code)
    {
        using SignetClient client = _server.NewClient();
        await client.LicenseAsync("KEY");
        _server.Always["heartbeat"] = answer;
        SignetException error = await client.HeartbeatAsync().FailsAsync(code);
        _server.Always.Clear();
        Assert.Equal(0, error.Status);
        Assert.True(error.IsTemporary);
        Assert.True(client.IsValid);
        Assert.Null(client.Lost);
        await client.HeartbeatAsync();
    }

    [Theory]
    [InlineData(200)]
    [InlineData(401)]
    [InlineData(403)]
    [InlineData(404)]
    [InlineData(429)]
    [InlineData(500)]
    public Task An_unsigned_answer_is_neither_a_yes_nor_a_no(int status) => HeartbeatFailsAsync(
        Answer.Unsigned(status, "{\"success\":false,\"code\":\"LICENSE_BANNED\",\"message\":\"\"}"),
        SignetCode.UnsignedResponse);

    [Theory]
    [InlineData("X-Signet-Signature")]
    [InlineData("X-Signet-Key")]
    [InlineData("X-Signet-Time")]
    [InlineData("X-Signet-Certificate")]
    public Task A_missing_header_makes_the_answer_unsigned(string header) => HeartbeatFailsAsync(
        Answer.Error(403, "LICENSE_BANNED").With(header, null), SignetCode.UnsignedResponse);

    [Fact]
    public Task A_signature_of_another_request_is_rejected()
    {
        string signature = Convert.ToBase64String(new byte[64]).TrimEnd('=').Replace('+', '-').Replace('/', '_');
        return HeartbeatFailsAsync(
            Answer.Error(403, "LICENSE_BANNED").With("X-Signet-Signature", signature), SignetCode.BadSignature);
    }

    [Fact]
    public Task A_certificate_of_another_root_is_rejected() => HeartbeatFailsAsync(
        Answer.Error(403, "LICENSE_BANNED")
            .With("X-Signet-Certificate", _server.Identity.CreateCertificate(1, Protocol.Wire.RandomBytes(32))),
        SignetCode.UnknownKey);

    [Fact]
    public async Task A_signing_key_that_was_replaced_does_not_come_back()
    {
        using SignetClient client = _server.NewClient();
        await client.LicenseAsync("KEY");
        _server.Identity.Certificate = _server.Identity.CreateCertificate(3);
        await client.HeartbeatAsync();
        _server.Identity.Certificate = _server.Identity.CreateCertificate(2);
        await client.HeartbeatAsync();
        _server.Identity.Certificate = _server.Identity.CreateCertificate(1);
        await client.HeartbeatAsync().FailsAsync(SignetCode.UnknownKey);
        Assert.True(client.IsValid);
    }

    [Theory]
    [InlineData(301)]
    [InlineData(307)]
    [InlineData(308)]
    public async Task A_redirect_is_not_followed(int status)
    {
        using TestServer other = new(_server.Clock);
        Answer redirect = Answer.Unsigned(status).With("Location", other.Url + "/api/1.0/client/heartbeat");
        await HeartbeatFailsAsync(redirect, SignetCode.UnsignedResponse);
        Assert.Equal(0, other.ConnectionCount);
    }

    [Fact]
    public async Task Cookies_are_ignored()
    {
        using SignetClient client = _server.NewClient();
        Answer answer = _server.HonestInit().With("Set-Cookie", "a=b; Path=/");
        _server.Next("init", answer);
        await client.LicenseAsync("KEY");
        Assert.DoesNotContain(_server.Calls, call => call.Headers.ContainsKey("cookie"));
    }

    [Fact]
    public async Task A_body_may_have_one_MiB_and_no_more()
    {
        string fields = $"\"user\":{_server.Honest.User},\"expiresAt\":1750003600,\"pad\":\"";
        string head = "{\"success\":true,\"message\":\"\"," + fields;
        string full = head + new string('x', 1024 * 1024 - head.Length - 2) + "\"}";
        Assert.Equal(1024 * 1024, full.Length);
        using SignetClient client = _server.NewClient();
        await client.LicenseAsync("KEY");
        _server.Next("heartbeat", Answer.SignedBody(full));
        await client.HeartbeatAsync();
        _server.Next("heartbeat", Answer.SignedBody(full.Insert(head.Length, "x")));
        await client.HeartbeatAsync().FailsAsync(SignetCode.Network);
        Assert.True(client.IsValid);
    }

    [Fact]
    public Task A_body_without_an_announced_end_is_cut_off_at_the_limit()
    {
        StringBuilder chunks = new("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
        string chunk = "10000\r\n" + new string('x', 0x10000) + "\r\n";
        for (int count = 0; count < 17; count++)
        {
            chunks.Append(chunk);
        }

        chunks.Append("0\r\n\r\n");

        return HeartbeatFailsAsync(Answer.Bytes(chunks.ToString()), SignetCode.Network);
    }

    [Fact]
    public async Task Headers_may_have_64_KiB_and_no_more()
    {
        await HeartbeatFailsAsync(
            Answer.Unsigned(200).With("X-Pad", new string('x', 70 * 1024)), SignetCode.Network);
        await HeartbeatFailsAsync(
            Answer.Unsigned(200).With("X-Pad", new string('x', 30 * 1024)), SignetCode.UnsignedResponse);
    }

    [Theory]
    [InlineData("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"success\":true}")]
    [InlineData("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc")]
    [InlineData("garbage\r\n\r\n")]
    [InlineData("HTTP/1.1 99999 OK\r\n\r\n")]
    [InlineData("HTTP/1.1 200 OK\r\nContent-Length: 9999999999\r\n\r\n")]
    public Task An_answer_that_is_not_whole_is_a_network_error(string raw) =>
        HeartbeatFailsAsync(Answer.Bytes(raw), SignetCode.Network);

    [Theory]
    [InlineData("")]
    [InlineData("null")]
    [InlineData("[]")]
    [InlineData("{\"success\":1}")]
    [InlineData("{\"success\":\"true\"}")]
    [InlineData("{\"success\":false,\"message\":\"\"}")]
    [InlineData("{\"success\":false,\"code\":7,\"message\":\"\"}")]
    [InlineData("{\"success\":true")]
    public Task A_signed_body_that_is_not_of_the_protocol_is_malformed(string body) =>
        HeartbeatFailsAsync(Answer.SignedBody(body), SignetCode.MalformedReply);

    [Fact]
    public Task A_signed_success_with_another_status_is_no_yes() =>
        HeartbeatFailsAsync(Answer.Success("\"a\":1", status: 203), SignetCode.MalformedReply);

    [Fact]
    public Task Deep_JSON_is_rejected() => HeartbeatFailsAsync(
        Answer.SignedBody("{\"a\":" + new string('[', 100_000) + new string(']', 100_000) + "}"),
        SignetCode.MalformedReply);

    [Fact]
    public async Task A_header_that_comes_twice_is_not_believed()
    {
        string signature = "X-Signet-Signature: " + new string('A', 86) + "\r\n";
        string raw = "HTTP/1.1 403 No\r\nContent-Length: 2\r\nX-Signet-Key: k1\r\nX-Signet-Time: 1750000000000\r\n"
            + signature + signature + $"X-Signet-Certificate: {_server.Identity.Certificate}\r\n\r\n{{}}";
        await HeartbeatFailsAsync(Answer.Bytes(raw), SignetCode.BadSignature);
    }

    [Fact]
    public async Task A_server_that_is_not_there_is_a_network_error()
    {
        using SignetClient client = _server.NewClient();
        await client.LicenseAsync("KEY");
        _server.Dispose();
        await client.HeartbeatAsync().FailsAsync(SignetCode.Network);
        Assert.True(client.IsValid);
    }
}
