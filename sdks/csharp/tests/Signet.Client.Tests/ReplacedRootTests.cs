using System;
using System.Collections;
using System.Collections.Generic;
using System.Threading.Tasks;
using Signet.Client.Protocol;
using Xunit;

namespace Signet.Client.Tests;

/// <summary>A client follows its root key's announcement of another one with the first accepted answer.</summary>
public sealed class ReplacedRootTests : IDisposable
{
    private const long Now = 1_750_000_000_000;
    private const string ClockError = """{"success":false,"message":"","code":"CLOCK_SKEW"}""";
    private readonly TestServer _server = new();
    private readonly ServerIdentity _identity;
    private readonly byte[] _second = Wire.RandomBytes(32);
    private readonly byte[] _third = Wire.RandomBytes(32);
    private readonly string _earlier;
    private readonly string _replaced;
    private ReplyVerifier _verifier;

    public ReplacedRootTests()
    {
        _identity = _server.Identity;
        _earlier = _identity.Certificate;
        _replaced = Announced(_second, Later(_second));
        _verifier = NewVerifier();
    }

    public void Dispose() => _server.Dispose();

    private ReplyVerifier NewVerifier(long highestSerial = 0) =>
        new(ServerIdentity.PublicOf(_identity.Root), highestSerial);

    private string Later(byte[] root, long serial = 1) => _identity.CreateCertificate(serial, root);

    private string Announced(byte[] replacement, string certificate) =>
        ServerIdentity.Announce(_identity.Root, replacement) + "." + certificate;

    private string AnnouncedTwice() => Announced(
        _second, ServerIdentity.Announce(_second, _third) + "." + Later(_third));

    /// <summary>
    /// The code for an answer with this certificate; <paramref name="meanwhile"/> happens between the check of its
    /// certificate and that of its signature.
    /// </summary>
    private string Check(
        string certificate,
        Action? meanwhile = null,
        long time = Now,
        double tookMs = 0,
        int status = 200,
        string body = "{}",
        string? signature = null)
    {
        SignetRequest request = new(
            "/api/1.0/client/heartbeat", "Ab3dE6gH1j/App", SignetRequest.NewNonce(), "1", null, Wire.Bytes("{}"));
        Dictionary<string, string> headers = new()
        {
            ["x-signet-key"] = "k1",
            ["x-signet-time"] = time.ToString(),
            ["x-signet-signature"] =
                signature ?? _identity.SignReply(request, time.ToString(), status, Wire.Bytes(body)),
            ["x-signet-certificate"] = certificate,
        };
        Reply reply = new(status, new OvertakenHeaders(headers, meanwhile), Wire.Bytes(body));
        try
        {
            return _verifier.Verify(request, reply, Now, tookMs).IsFresh ? "accepted" : "STALE_RESPONSE";
        }
        catch (SignetException error)
        {
            return error.CodeText;
        }
    }

    private void AssertTrusts(params string[] certificates) =>
        Assert.All(certificates, certificate => Assert.Equal("accepted", Check(certificate)));

    private void AssertRejects(params string[] certificates) =>
        Assert.All(certificates, certificate => Assert.Equal("UNKNOWN_KEY", Check(certificate)));

    [Fact]
    public void The_earlier_root_counts_no_more_whatever_was_read_with_it()
    {
        string[] byEarlier = [_earlier, Later(_identity.Root, 1_000_000), Announced(_third, Later(_third))];
        AssertTrusts(_earlier, _replaced);
        AssertRejects(byEarlier);
        AssertTrusts(_replaced, Later(_second));
        AssertRejects(byEarlier);
    }

    private void AssertMovesNothing(string expected, Func<string> check)
    {
        _verifier = NewVerifier(3);
        Assert.Equal(expected, check());
        AssertTrusts(Later(_identity.Root, 3));
        AssertRejects(Later(_second, 3));
    }

    [Fact]
    public void An_answer_that_fails_a_check_moves_no_root()
    {
        string fine = Announced(_second, Later(_second, 3));
        string WithKid(string kid) => Announced(_second, _identity.CreateCertificate(3, _second, kid));
        string Between(long start, long end) => Announced(
            _second, _identity.CreateCertificate(3, _second, notBefore: start, notAfter: end));

        AssertMovesNothing("UNKNOWN_KEY", () => Check(WithKid("k2")));
        AssertMovesNothing("BAD_SIGNATURE", () => Check(fine, signature: Base64Url.Encode(new byte[64])));
        AssertMovesNothing("BAD_SIGNATURE", () => Check(fine, time: 1_000_000_000_000_000));
        AssertMovesNothing("UNKNOWN_KEY", () => Check(Between(0, Now / 1000 - 1)));
        AssertMovesNothing("UNKNOWN_KEY", () => Check(Between(Now / 1000 + 1, 4_000_000_000)));
        AssertMovesNothing("UNKNOWN_KEY", () => Check(Announced(_second, Later(_second, 1))));
        AssertMovesNothing("STALE_RESPONSE", () => Check(fine, time: Now - 60_001));
        AssertMovesNothing("STALE_RESPONSE", () => Check(fine, tookMs: 60_001));
        Assert.Equal("accepted", Check(fine, tookMs: 60_000));
    }

    [Fact]
    public void An_accepted_error_moves_it_also_one_about_the_clock()
    {
        Assert.Equal("accepted", Check(_replaced, time: Now - 3_600_000, status: 400, body: ClockError));
        AssertRejects(_earlier);
        AssertTrusts(Later(_second));
    }

    [Fact]
    public void An_answer_of_the_earlier_root_that_was_overtaken_is_not_accepted()
    {
        foreach (string text in new[] { _earlier, Announced(_third, Later(_third)) })
        {
            _verifier = NewVerifier();
            Assert.Equal("UNKNOWN_KEY", Check(text, () => AssertTrusts(_replaced)));
            AssertRejects(text);
            AssertTrusts(_replaced, Later(_second));
        }
    }

    [Fact]
    public void An_answer_that_was_overtaken_raises_no_serial()
    {
        Assert.Equal("UNKNOWN_KEY", Check(Later(_identity.Root, 9), () => AssertTrusts(_replaced)));
        AssertTrusts(_replaced);
    }

    [Fact]
    public void Answers_with_the_same_announcement_can_overtake_each_other()
    {
        Assert.Equal("accepted", Check(_replaced, () => AssertTrusts(_replaced)));
        Assert.Equal("accepted", Check(_replaced, () => AssertTrusts(Announced(_second, Later(_second, 2)))));
        AssertRejects(_earlier);
    }

    [Fact]
    public void An_answer_can_be_overtaken_by_the_next_replacement()
    {
        Assert.Equal("UNKNOWN_KEY", Check(_replaced, () => AssertTrusts(AnnouncedTwice())));
        AssertRejects(_earlier, _replaced);
        AssertTrusts(AnnouncedTwice(), Later(_third));
    }

    [Fact]
    public void A_slow_answer_with_a_newer_announcement_moves_on()
    {
        Assert.Equal("accepted", Check(AnnouncedTwice(), () => AssertTrusts(_replaced)));
        AssertRejects(_earlier, _replaced);
        AssertTrusts(AnnouncedTwice(), Later(_third));
    }

    [Fact]
    public void A_certificate_is_read_once_with_each_root()
    {
        TrustedRoot trusted = new(ServerIdentity.PublicOf(_identity.Root));
        Assert.Same(trusted.Read(_replaced), trusted.Read(_replaced));
        Assert.Same(trusted.Key, trusted.Read(_earlier).RootKey);
    }

    [Fact]
    public async Task A_program_in_use_follows_and_stays_with_the_new_root()
    {
        using SignetClient client = _server.NewClient();
        await client.LicenseAsync("KEY");
        _identity.Certificate = _replaced;
        await client.HeartbeatAsync();
        _identity.Certificate = _earlier;
        await client.HeartbeatAsync().FailsAsync(SignetCode.UnknownKey);
        _identity.Certificate = Later(_second);
        await client.HeartbeatAsync();
        Assert.True(client.IsValid);
        Assert.Null(client.Lost);
    }

    [Fact]
    public async Task An_answer_that_was_held_back_moves_no_root()
    {
        using SignetClient client = _server.NewClient(options => options.Timeout = TimeSpan.FromMinutes(5));
        await client.LicenseAsync("KEY");
        TaskCompletionSource slow = new();
        _server.Next("log", Answer.Success(string.Empty).With("X-Signet-Certificate", _replaced).After(slow.Task));
        Task log = client.LogAsync("x");
        await Patience.UntilAsync(() => _server.Count("log") == 1);
        await _server.Clock.AdvanceAsync(TimeSpan.FromSeconds(61));
        slow.SetResult();
        await log.FailsAsync(SignetCode.StaleResponse);
        await client.HeartbeatAsync();
    }

    private sealed class OvertakenHeaders(Dictionary<string, string> headers, Action? meanwhile)
        : IReadOnlyDictionary<string, string>
    {
        private Action? _meanwhile = meanwhile;

        public int Count => headers.Count;

        public IEnumerable<string> Keys => headers.Keys;

        public IEnumerable<string> Values => headers.Values;

        public string this[string key] => headers[key];

        public bool ContainsKey(string key) => headers.ContainsKey(key);

        public bool TryGetValue(string key, out string value)
        {
            if (key == "x-signet-path")
            {
                Action? action = _meanwhile;
                _meanwhile = null;
                action?.Invoke();
            }

            return headers.TryGetValue(key, out value!);
        }

        public IEnumerator<KeyValuePair<string, string>> GetEnumerator() => headers.GetEnumerator();

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }
}
