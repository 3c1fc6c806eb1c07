using System;
using System.Diagnostics;
using System.IO;
using System.Threading.Tasks;
using Xunit;

namespace Signet.Client.Tests;

/// <summary>The console example says what a customer should see, and nothing else.</summary>
public sealed class ConsoleExampleTests : IDisposable
{
    private readonly TestServer _server = new();

    public ConsoleExampleTests() => _server.Honest.ClockLead =
        DateTimeOffset.UtcNow - DateTimeOffset.FromUnixTimeMilliseconds(_server.Clock.UnixMs);

    public void Dispose() => _server.Dispose();

    [Fact]
    public async Task A_good_key_is_welcomed_with_the_end_of_the_license()
    {
        _server.Honest.User = _server.Honest.User.Replace(
            "\"expiresAt\":null", "\"expiresAt\":1767225600", StringComparison.Ordinal);
        (int code, string output, string error) = await RunAsync("KEY");
        Assert.Equal((0, string.Empty), (code, error));
        string end = DateTimeOffset.FromUnixTimeSeconds(1767225600).ToLocalTime().ToString("yyyy-MM-dd HH:mm");
        Assert.Equal($"License key: Welcome, alice. Your license runs until {end}.", output.Trim());
        Assert.Equal(1, _server.Count("logout"));
    }

    [Fact]
    public async Task A_rejected_key_is_explained_without_a_stack_trace()
    {
        _server.Next("license", Answer.Error(403, "LICENSE_BANNED"));
        (int code, string output, string error) = await RunAsync("KEY");
        Assert.Equal(3, code);
        Assert.Equal("License key:", output.Trim());
        Assert.Equal("This license is banned. Contact the seller.", error.Trim());
    }

    [Fact]
    public async Task Missing_settings_are_explained_too()
    {
        (int code, _, string error) = await RunAsync("KEY", "--owner-id=");
        Assert.Equal(3, code);
        Assert.Equal("This program isn't set up correctly. Contact the seller.", error.Trim());
    }

    private async Task<(int Code, string Output, string Error)> RunAsync(string key, params string[] arguments)
    {
        ProcessStartInfo start = new("dotnet")
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.ArgumentList.Add(Path.Combine(AppContext.BaseDirectory, "signet-console.dll"));
        start.ArgumentList.Add("--once");
        foreach (string argument in arguments)
        {
            start.ArgumentList.Add(argument);
        }

        SignetOptions options = _server.Options();
        start.Environment["SIGNET_OWNER_ID"] = options.OwnerId;
        start.Environment["SIGNET_APP_NAME"] = options.AppName;
        start.Environment["SIGNET_VERSION"] = options.Version;
        start.Environment["SIGNET_SERVER_URL"] = options.ServerUrl;
        start.Environment["SIGNET_VERIFICATION_KEY"] = options.VerificationKey;
        start.Environment["SIGNET_SEALING_KEY"] = options.SealingKey;
        using Process process = Process.Start(start)!;
        await process.StandardInput.WriteLineAsync(key);
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        Task<string> error = process.StandardError.ReadToEndAsync();
        await process.WaitForExitAsync();
        return (process.ExitCode, await output, await error);
    }
}
