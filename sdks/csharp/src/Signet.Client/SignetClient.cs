using System;
using System.Threading;
using System.Threading.Tasks;
using Signet.Client.Net;
using Signet.Client.Protocol;
using Signet.Client.Sessions;

namespace Signet.Client;

/// <summary>
/// Asks one app of a Signet server whether this program may run. Create one client and keep it as long as your program
/// runs: it sends heartbeats in the background after the sign-in.
/// </summary>
/// <remarks>
/// All members can be used from any thread. Apart from <see cref="SignetException"/>, calls throw
/// <see cref="OperationCanceledException"/> when they are canceled or the client is closed meanwhile,
/// <see cref="ArgumentNullException"/>, and <see cref="ObjectDisposedException"/>.
/// </remarks>
public sealed partial class SignetClient : IDisposable, IAsyncDisposable
{
    private static readonly TimeSpan CloseTimeout = TimeSpan.FromSeconds(2);
    private readonly object _lock = new();
    private readonly ClientConfiguration _configuration;
    private readonly CustomerMessages _messages;
    private readonly Clock _clock;
    private readonly ITransport _transport;
    private readonly SessionKeeper _sessions;
    private Task? _closing;

    /// <summary>Creates a client. This makes no network calls.</summary>
    /// <param name="options">The settings, which are copied.</param>
    /// <exception cref="SignetException"><c>INVALID_CONFIGURATION</c></exception>
    public SignetClient(SignetOptions options)
        : this(options, SystemClock.Instance, null)
    {
    }

    internal SignetClient(SignetOptions options, Clock clock, ITransport? transport)
    {
        _ = options ?? throw new ArgumentNullException(nameof(options));
        _clock = clock;
        _messages = new CustomerMessages(options);
        try
        {
            _configuration = new ClientConfiguration(options);
        }
        catch (SignetException error)
        {
            _messages.Translate(error);
            throw;
        }

        _transport = transport ?? new Transport(_configuration.Server, _configuration.Trust, options.Proxy);
        ReplyVerifier verifier = new(_configuration.RootKey);
        Exchange exchange = new(_configuration.App, _transport, verifier, _configuration.SealTo, clock);
        _sessions = new SessionKeeper(_configuration, exchange, clock, new SessionEvents(options, _messages));
    }

    /// <summary>
    /// Whether the program may go on: signed in, not ended by the server since, and heard from the server in time.
    /// Makes no network call, so use it as often as you like.
    /// </summary>
    public bool IsValid => _sessions.IsValid;

    /// <summary>What the server said last about the customer; null before the sign-in.</summary>
    public SignetSession? Session => _sessions.Session;

    /// <summary>The error that ended the session; null while there is none.</summary>
    public SignetException? Lost => _sessions.Lost;

    /// <summary>
    /// Ends all calls, tells the server if that is possible, and returns within 2 seconds. Throws no errors.
    /// </summary>
    public Task CloseAsync()
    {
        lock (_lock)
        {
            return _closing ??= CloseOnceAsync();
        }
    }

    /// <summary>Like <see cref="CloseAsync"/>; blocks for at most 2 seconds.</summary>
    public void Dispose() => Task.Run(CloseAsync).GetAwaiter().GetResult();

    /// <summary>Like <see cref="CloseAsync"/>.</summary>
    public ValueTask DisposeAsync() => new(CloseAsync());

    private async Task CloseOnceAsync()
    {
        string? token = _sessions.Close();
        try
        {
            await Deadline.RunAsync(
                _clock,
                CloseTimeout,
                async deadline =>
                {
                    await Task.WhenAll(LogoutAsync(token, deadline), _sessions.LogoutsAsync()).ConfigureAwait(false);
                    return true;
                },
                CancellationToken.None,
                CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception error) when (error is SignetException or OperationCanceledException)
        {
            // The session ends by itself.
        }
        finally
        {
            _transport.Dispose();
        }
    }

    private Task LogoutAsync(string? token, Deadline deadline) =>
        token == null ? Task.CompletedTask : _sessions.LogoutAsync(token, deadline.Token);

    /// <summary>One call as the program sees it, within <see cref="SignetOptions.Timeout"/>.</summary>
    private async Task<T> CallAsync<T>(Func<Deadline, Task<T>> work, CancellationToken cancellation)
    {
        ThrowIfClosed();
        try
        {
            return await Deadline
                .RunAsync(_clock, _configuration.Timeout, work, cancellation, _sessions.Closing)
                .ConfigureAwait(false);
        }
        catch (SignetException error)
        {
            _messages.Translate(error);
            throw;
        }
    }

    private void ThrowIfClosed()
    {
        lock (_lock)
        {
            if (_closing != null)
            {
                throw new ObjectDisposedException(nameof(SignetClient));
            }
        }
    }
}
