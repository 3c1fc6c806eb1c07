using System;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace Signet.Client.Tests;

/// <summary>Clients of a test server, and what is said about their errors.</summary>
internal static class TestClients
{
    internal const string Hwid = "00112233445566778899aabbccddeeff";

    internal static SignetOptions Options(this TestServer server) => new()
    {
        OwnerId = "Ab3dE6gH1j",
        AppName = "My App",
        Version = "1.0",
        ServerUrl = server.Url,
        VerificationKey = server.Identity.VerificationKey,
        SealingKey = server.Identity.SealingKey,
        Hwid = Hwid,
        HeartbeatInterval = null,
        Timeout = ManualClock.CallTimeout,
    };

    /// <summary>Without a background heartbeat, unless asked for.</summary>
    internal static SignetClient NewClient(this TestServer server, Action<SignetOptions>? change = null)
    {
        SignetOptions options = server.Options();
        change?.Invoke(options);
        SynchronizationContext? context = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(null);
        try
        {
            return new SignetClient(options, server.Clock, null);
        }
        finally
        {
            SynchronizationContext.SetSynchronizationContext(context);
        }
    }

    internal static async Task<SignetException> FailsAsync(this Task call, SignetCode code)
    {
        SignetException error = await Assert.ThrowsAsync<SignetException>(() => call.WaitAsync(Patience.Limit));
        Assert.Equal((code, error.ToString()), (error.Code, error.ToString()));
        return error;
    }

    internal static void AssertInvalid(Func<object> create)
    {
        SignetException error = Assert.Throws<SignetException>(create);
        Assert.Equal(SignetCode.InvalidConfiguration, error.Code);
    }
}

/// <summary>Honest answers that a test delays.</summary>
internal static class HonestAnswerExtensions
{
    internal static Answer HonestInit(this TestServer server) => server.Honest.To("init", Request(server), default);

    internal static Answer HonestSession(this TestServer server) => Answer.Success(
        $"\"user\":{server.Honest.User},\"expiresAt\":{server.Clock.UnixMs / 1000 + 3600}");

    private static Protocol.SignetRequest Request(TestServer server) =>
        new("/", "a", Protocol.SignetRequest.NewNonce(), server.Clock.UnixMs.ToString(), null, []);
}
