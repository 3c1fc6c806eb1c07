using System.Collections.Generic;
using System.Reflection;
using System.Threading.Tasks;
using Xunit;

namespace Signet.Client.Tests;

/// <summary>The Unity script works, with a stand-in for the engine.</summary>
public sealed class UnityExampleTests
{
    [Fact]
    public async Task The_script_signs_in_and_shows_why_a_key_is_rejected()
    {
        using TestServer server = new();
        server.Next("license", Answer.Error(403, "LICENSE_BANNED"));
        SignetLogin login = new();
        Set(login, "ownerId", "Ab3dE6gH1j");
        Set(login, "appName", "My App");
        Set(login, "version", "1.0");
        Set(login, "serverUrl", server.Url);
        Set(login, "verificationKey", server.Identity.VerificationKey);
        Set(login, "sealingKey", server.Identity.SealingKey);
        List<string> messages = new();
        bool isSignedIn = false;
        login.onMessage.AddListener(messages.Add);
        login.onSignedIn.AddListener(() => isSignedIn = true);
        server.Honest.ClockLead = System.DateTimeOffset.UtcNow
            - System.DateTimeOffset.FromUnixTimeMilliseconds(server.Clock.UnixMs);

        await login.SignInAsync("BANNED");
        Assert.False(isSignedIn);
        await login.SignInAsync("GOOD");

        Assert.True(isSignedIn);
        Assert.True(login.IsValid);
        Assert.Equal(new[] { "This license is banned. Contact the seller.", "Welcome, alice." }, messages);
        typeof(SignetLogin).GetMethod("OnDestroy", BindingFlags.NonPublic | BindingFlags.Instance)!.Invoke(login, null);
        Assert.False(login.IsValid);
    }

    private static void Set(SignetLogin login, string field, string value) =>
        typeof(SignetLogin).GetField(field, BindingFlags.NonPublic | BindingFlags.Instance)!.SetValue(login, value);
}
