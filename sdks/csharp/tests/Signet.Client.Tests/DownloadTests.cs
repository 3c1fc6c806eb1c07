using System;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace Signet.Client.Tests;

/// <summary>A file has the signed bytes, or it isn't there.</summary>
public sealed class DownloadTests : IDisposable
{
    private readonly TestServer _server = new();
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("signet");

    private string Target => Path.Combine(_folder.FullName, "setup.exe");

    public void Dispose()
    {
        _server.Dispose();
        _folder.Delete(recursive: true);
    }

    private Task<DownloadedFile> DownloadAsync(SignetClient client, CancellationToken cancellation = default) =>
        client.DownloadAsync("file", Target, cancellation);

    /// <summary>Lets the time of the waits between attempts pass; no call takes so long.</summary>
    private async Task<T> WithWaitsAsync<T>(Task<T> download)
    {
        while (!download.IsCompleted)
        {
            if (_server.Clock.IsPausing)
            {
                await _server.Clock.AdvanceAsync(TimeSpan.FromSeconds(1));
            }

            await Task.Delay(1);
        }

        return await download;
    }

    private void AssertUnchanged(string content)
    {
        Assert.Equal(content, File.ReadAllText(Target));
        Assert.Single(_folder.GetFiles());
    }

    [Fact]
    public async Task The_signed_bytes_are_written_and_replace_an_old_file()
    {
        File.WriteAllText(Target, "old");
        _server.Always["download"] = _server.Files.Offer();
        using SignetClient client = _server.NewClient();
        DownloadedFile file = await DownloadAsync(client);
        Assert.Equal(_server.Files.Signed, File.ReadAllBytes(Target));
        Assert.Equal((Target, "setup.exe", 300_000L, _server.Files.Sha256), (file.Path, file.FileName, file.Size, file.Sha256));
        Assert.Single(_folder.GetFiles());
        File.Delete(Target);
        await DownloadAsync(client);
        Assert.Equal(300_000, new FileInfo(Target).Length);
    }

#if !NETSTANDARD_CLIENT
    [Theory]
    [InlineData(UnixFileMode.UserRead | UnixFileMode.UserWrite)]
    [InlineData(UnixFileMode.UserRead | UnixFileMode.UserExecute | UnixFileMode.GroupExecute)]
    public async Task A_file_keeps_the_permissions_of_the_one_that_it_replaces(UnixFileMode mode)
    {
        if (OperatingSystem.IsWindows())
        {
            return;
        }

        File.WriteAllText(Target, "old");
        File.SetUnixFileMode(Target, mode);
        _server.Always["download"] = _server.Files.Offer();
        using SignetClient client = _server.NewClient();
        await DownloadAsync(client);
        Assert.Equal(mode, File.GetUnixFileMode(Target));
    }
#endif

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(-1)]
    public async Task Other_bytes_are_discarded(int change)
    {
        File.WriteAllText(Target, "old");
        byte[] bytes = (byte[])_server.Files.Signed.Clone();
        bytes[200_000] ^= 1;
        _server.Files.Sent = change switch { 0 => bytes, 1 => bytes.Append((byte)0).ToArray(), _ => bytes.SkipLast(1).ToArray() };
        _server.Always["download"] = _server.Files.Offer();
        using SignetClient client = _server.NewClient();
        SignetException error = await Assert.ThrowsAsync<SignetException>(() => WithWaitsAsync(DownloadAsync(client)));
        Assert.Equal(change < 0 ? SignetCode.Network : SignetCode.FileCorrupt, error.Code);
        AssertUnchanged("old");
    }

    [Fact]
    public async Task No_more_than_the_signed_size_is_read()
    {
        _server.Files.Sent = _server.Files.Signed.Concat(new byte[2000]).ToArray();
        _server.Files.Cuts.Enqueue(_server.Files.Signed.Length + 1000);
        _server.Files.Hang = new TaskCompletionSource().Task;
        _server.Always["download"] = _server.Files.Offer();
        using SignetClient client = _server.NewClient();
        await DownloadAsync(client).FailsAsync(SignetCode.FileCorrupt);
        Assert.Empty(_folder.GetFiles());
    }

    [Fact]
    public async Task An_interrupted_transfer_is_resumed_where_it_broke_off()
    {
        _server.Always["download"] = _server.Files.Offer();
        _server.Files.Cuts.Enqueue(100_000);
        _server.Files.Cuts.Enqueue(50_000);
        using SignetClient client = _server.NewClient();
        await WithWaitsAsync(DownloadAsync(client));
        Assert.Equal(_server.Files.Signed, File.ReadAllBytes(Target));
        string etag = $"\"{_server.Files.Sha256}\"";
        Assert.Equal(new[] { "", $"bytes=100000- {etag}", $"bytes=150000- {etag}" }, _server.Files.Ranges);
        Assert.Equal(3, _server.Count("download"));
    }

    [Fact]
    public async Task A_connection_that_breaks_after_the_last_byte_harms_nothing()
    {
        _server.Always["download"] = _server.Files.Offer();
        _server.Files.Sent = _server.Files.Signed.Append((byte)0).ToArray();
        _server.Files.Cuts.Enqueue(_server.Files.Signed.Length);
        using SignetClient client = _server.NewClient();
        await WithWaitsAsync(DownloadAsync(client));
        Assert.Equal(_server.Files.Signed, File.ReadAllBytes(Target));
        Assert.Single(_server.Files.Ranges);
    }

    [Fact]
    public async Task A_server_that_gives_no_part_starts_over()
    {
        _server.Always["download"] = _server.Files.Offer();
        _server.Files.IgnoresRange = true;
        _server.Files.Cuts.Enqueue(100_000);
        using SignetClient client = _server.NewClient();
        await WithWaitsAsync(DownloadAsync(client));
        Assert.Equal(_server.Files.Signed, File.ReadAllBytes(Target));
    }

    [Fact]
    public async Task A_file_that_was_replaced_meanwhile_starts_over()
    {
        Answer old = _server.Files.Offer();
        _server.Next("download", old);
        _server.Files.Cuts.Enqueue(100_000);
        using SignetClient client = _server.NewClient();
        await client.InitAsync();
        byte[] fresh = _server.Files.Signed.Reverse().ToArray();
        _server.Files.Sent = _server.Files.Signed;
        _server.Files.Signed = fresh;
        TaskCompletionSource release = new();
        _server.Next("download", _server.Files.Offer().After(release.Task));
        Task<DownloadedFile> download = WithWaitsAsync(DownloadAsync(client));
        await Patience.UntilAsync(() => _server.Count("download") == 2);
        _server.Files.Sent = null;
        release.SetResult();
        DownloadedFile file = await download;
        Assert.Equal(fresh, File.ReadAllBytes(Target));
        Assert.Equal(_server.Files.Sha256, file.Sha256);
    }

    [Fact]
    public async Task A_transfer_that_keeps_breaking_off_is_given_up()
    {
        _server.Always["download"] = _server.Files.Offer();
        for (int count = 0; count < 10; count++)
        {
            _server.Files.Cuts.Enqueue(1000);
        }

        using SignetClient client = _server.NewClient();
        await WithWaitsAsync(DownloadAsync(client)).FailsAsync(SignetCode.Network);
        Assert.Equal(5, _server.Count("download"));
        Assert.Empty(_folder.GetFiles());
    }

    [Theory]
    [InlineData(302, 1)]
    [InlineData(404, 1)]
    [InlineData(416, 1)]
    [InlineData(429, 5)]
    [InlineData(503, 5)]
    public async Task Only_a_temporary_status_of_the_bytes_is_waited_out(int status, int attempts)
    {
        _server.Always["download"] = _server.Files.Offer();
        _server.Files.Status = status;
        using SignetClient client = _server.NewClient();
        await WithWaitsAsync(DownloadAsync(client)).FailsAsync(SignetCode.Network);
        Assert.Equal(attempts, _server.Count("download"));
    }

    [Fact]
    public async Task A_temporary_error_is_waited_out_and_a_long_wait_is_left_to_the_program()
    {
        _server.Next(
            "download",
            Answer.Error(503, "MAINTENANCE"),
            Answer.Error(429, "RATE_LIMITED", ",\"retryAfterSeconds\":60"),
            Answer.Unsigned(502),
            _server.Files.Offer(),
            Answer.Error(503, "MAINTENANCE", ",\"retryAfterSeconds\":61"));
        using SignetClient client = _server.NewClient();
        TimeSpan start = _server.Clock.Monotonic;
        await WithWaitsAsync(DownloadAsync(client));
        Assert.InRange(_server.Clock.Monotonic - start, TimeSpan.FromSeconds(60), TimeSpan.FromSeconds(70));
        await DownloadAsync(client).FailsAsync(SignetCode.Maintenance);
        Assert.Equal(5, _server.Count("download"));
        Assert.Equal(_server.Files.Signed, File.ReadAllBytes(Target));
    }

    [Fact]
    public async Task A_download_can_be_canceled_between_two_attempts()
    {
        _server.Always["download"] = Answer.Error(503, "MAINTENANCE");
        using SignetClient client = _server.NewClient();
        using CancellationTokenSource cancel = new();
        Task<DownloadedFile> download = DownloadAsync(client, cancel.Token);
        await Patience.UntilAsync(() => _server.Clock.IsPausing);
        cancel.Cancel();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => download);
        download = DownloadAsync(client);
        await Patience.UntilAsync(() => _server.Clock.IsPausing);
        await client.CloseAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => download);
    }

    [Fact]
    public async Task A_transfer_that_fell_silent_is_resumed()
    {
        _server.Always["download"] = _server.Files.Offer();
        _server.Files.Hang = new TaskCompletionSource().Task;
        _server.Files.Cuts.Enqueue(0);
        using SignetClient client = _server.NewClient();
        Task<DownloadedFile> download = DownloadAsync(client);
        await Patience.UntilAsync(() => !_server.Files.Ranges.IsEmpty && _server.Clock.IsCalling);
        while (!download.IsCompleted)
        {
            if (_server.Clock.IsPausing || _server.Files.Ranges.Count == 1)
            {
                await _server.Clock.AdvanceAsync(TimeSpan.FromSeconds(1));
            }

            await Task.Delay(1);
        }

        await download;
        Assert.Equal(_server.Files.Signed, File.ReadAllBytes(Target));
    }

    [Fact]
    public async Task A_transfer_may_take_long_but_not_fall_silent()
    {
        TaskCompletionSource never = new();
        _server.Always["download"] = _server.Files.Offer();
        _server.Files.Hang = never.Task;
        for (int count = 0; count < 5; count++)
        {
            _server.Files.Cuts.Enqueue(0);
        }

        using SignetClient client = _server.NewClient();
        Task<DownloadedFile> download = DownloadAsync(client);
        await Patience.UntilAsync(() => !_server.Files.Ranges.IsEmpty && _server.Clock.IsCalling);
        while (!download.IsCompleted)
        {
            await _server.Clock.AdvanceAsync(TimeSpan.FromSeconds(1));
            await Task.Delay(1);
        }

        await download.FailsAsync(SignetCode.Network);
        Assert.Empty(_folder.GetFiles());
    }

    [Fact]
    public async Task A_download_can_be_canceled_and_leaves_nothing()
    {
        _server.Always["download"] = _server.Files.Offer();
        _server.Files.Hang = new TaskCompletionSource().Task;
        _server.Files.Cuts.Enqueue(1000);
        using SignetClient client = _server.NewClient();
        using CancellationTokenSource cancel = new();
        Task<DownloadedFile> download = DownloadAsync(client, cancel.Token);
        await Patience.UntilAsync(() => !_server.Files.Ranges.IsEmpty);
        cancel.Cancel();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => download);
        Assert.Empty(_folder.GetFiles());
    }

    [Theory]
    [InlineData("https://evil.example.com/x")]
    [InlineData("//evil.example.com/x")]
    [InlineData("/api/1.0/client/init")]
    [InlineData("/api/1.0/download/../client/init")]
    [InlineData("/api/1.0/download/")]
    [InlineData("/api/1.0/download/a b")]
    [InlineData("/api/1.0/download/a@b")]
    public async Task An_address_elsewhere_is_rejected(string url)
    {
        _server.Always["download"] = _server.Files.Offer(url);
        using SignetClient client = _server.NewClient();
        await DownloadAsync(client).FailsAsync(SignetCode.MalformedReply);
        Assert.Empty(_server.Files.Ranges);
    }

    [Fact]
    public async Task A_redirect_of_the_bytes_is_not_followed()
    {
        using TestServer other = new(_server.Clock);
        _server.Always["download"] = _server.Files.Offer();
        _server.Files.Status = 302;
        _server.Files.Location = other.Url + "/file";
        using SignetClient client = _server.NewClient();
        await DownloadAsync(client).FailsAsync(SignetCode.Network);
        Assert.Equal(0, other.ConnectionCount);
    }

    [Fact]
    public async Task A_folder_that_is_not_there_is_told_as_such()
    {
        _server.Always["download"] = _server.Files.Offer();
        using SignetClient client = _server.NewClient();
        await client.DownloadAsync("file", Path.Combine(_folder.FullName, "no", "such")).FailsAsync(SignetCode.FileNotWritten);
        await client.DownloadAsync("file", "\0").FailsAsync(SignetCode.FileNotWritten);
        await client.DownloadAsync("missing", string.Empty).FailsAsync(SignetCode.FileNotWritten);
    }

    [Fact]
    public async Task A_no_inside_the_session_ends_it()
    {
        using SignetClient client = _server.NewClient();
        await client.LicenseAsync("KEY");
        _server.Next("download", Answer.Error(404, "DOWNLOAD_NOT_FOUND"), Answer.Error(403, "SUBSCRIPTION_EXPIRED"));
        await DownloadAsync(client).FailsAsync(SignetCode.DownloadNotFound);
        Assert.True(client.IsValid);
        await DownloadAsync(client).FailsAsync(SignetCode.SubscriptionExpired);
        Assert.False(client.IsValid);
    }
}
