using System;
using System.Collections.Generic;
using System.Threading.Tasks;
using Xunit;

namespace Signet.Client.Tests;

/// <summary>What an error tells the program and the customer.</summary>
public sealed class ErrorTests : IDisposable
{
    private readonly TestServer _server = new();

    public void Dispose() => _server.Dispose();

    [Fact]
    public async Task A_signed_error_has_all_that_the_server_said()
    {
        const string More = ",\"retryAfterSeconds\":5,\"downloadUrl\":\"https://x\",\"limit\":{\"a\":[1,0.5,true,null]}";
        _server.Next("init", Answer.Error(403, "VERSION_OUTDATED", More));
        using SignetClient client = _server.NewClient(options => options.Language = SignetLanguage.Portuguese);
        SignetException error = await client.InitAsync().FailsAsync(SignetCode.VersionOutdated);
        Assert.Equal("VERSION_OUTDATED", error.CodeText);
        Assert.Equal("No: VERSION_OUTDATED", error.Message);
        Assert.Equal(SignetMessages.Find("VERSION_OUTDATED", SignetLanguage.Portuguese), error.CustomerMessage);
        Assert.Equal(403, error.Status);
        Assert.Equal("r1", error.RequestId);
        Assert.Equal("https://x", error.DownloadUrl);
        Assert.Equal(TimeSpan.FromSeconds(5), error.RetryAfter);
        Assert.False(error.IsTemporary);
        Dictionary<string, object?> limit = Assert.IsType<Dictionary<string, object?>>(error.Details["limit"]);
        Assert.Equal(new object?[] { 1L, 0.5, true, null }, (List<object?>)limit["a"]!);
    }

    [Fact]
    public async Task An_unknown_code_is_told_as_text_with_the_servers_sentence()
    {
        _server.Next("init", Answer.Error(418, "BRAND_NEW"));
        using SignetClient client = _server.NewClient();
        SignetException error = await client.InitAsync().FailsAsync(SignetCode.Unknown);
        Assert.Equal(("BRAND_NEW", "No: BRAND_NEW"), (error.CodeText, error.CustomerMessage));
        Assert.False(error.IsTemporary);
    }

    [Theory]
    [InlineData(429, "BRAND_NEW")]
    [InlineData(500, "BRAND_NEW")]
    [InlineData(503, "LICENSE_BANNED")]
    [InlineData(409, "NONCE_REUSED")]
    public async Task Errors_that_say_nothing_about_the_license_are_temporary(int status, string code)
    {
        _server.Next("license", Answer.Error(status, code));
        using SignetClient client = _server.NewClient();
        SignetException error = await Assert.ThrowsAsync<SignetException>(() => client.LicenseAsync("K"));
        Assert.True(error.IsTemporary);
    }

    [Fact]
    public async Task The_vendors_own_sentences_come_first()
    {
        _server.Always["init"] = Answer.Error(403, "OWNER_BANNED");
        using SignetClient client = _server.NewClient(options => options.CustomerMessages =
            error => error.Code == SignetCode.OwnerBanned ? $"Call us. ({error.CustomerMessage})" : null);
        SignetException own = await client.InitAsync().FailsAsync(SignetCode.OwnerBanned);
        Assert.Equal("Call us. (This program is not available. Contact the seller.)", own.CustomerMessage);
        _server.Always["init"] = Answer.Error(403, "APP_DISABLED");
        SignetException ours = await client.InitAsync().FailsAsync(SignetCode.AppDisabled);
        Assert.Equal(SignetMessages.Find("APP_DISABLED", SignetLanguage.English), ours.CustomerMessage);
    }

    [Fact]
    public async Task A_function_of_the_vendor_that_throws_neither_replaces_an_error_nor_holds_one_back()
    {
        TaskCompletionSource<SignetException> lost = new();
        using SignetClient client = _server.NewClient(options =>
        {
            options.CustomerMessages = _ => throw new InvalidOperationException();
            options.OnLost = lost.SetResult;
        });
        await client.LicenseAsync("KEY");
        _server.Next("variable", Answer.Error(403, "USER_BANNED"));
        await client.VariableAsync("x").FailsAsync(SignetCode.UserBanned);
        SignetException error = await lost.Task;
        Assert.Equal(SignetMessages.Find("USER_BANNED", SignetLanguage.English), error.CustomerMessage);
    }

    [Fact]
    public void Every_code_has_a_sentence_in_every_language()
    {
        foreach (CodeEntry entry in SignetCodes.All)
        {
            Assert.Equal(entry.Text, SignetCodes.TextOf(entry.Code));
            foreach (SignetLanguage language in Enum.GetValues<SignetLanguage>())
            {
                Assert.False(string.IsNullOrWhiteSpace(SignetMessages.Find(entry.Text, language)));
            }
        }

        Assert.Equal(SignetCodes.All.Length + 1, Enum.GetValues<SignetCode>().Length);
        Assert.Null(SignetMessages.Find("BRAND_NEW", SignetLanguage.English));
    }
}
