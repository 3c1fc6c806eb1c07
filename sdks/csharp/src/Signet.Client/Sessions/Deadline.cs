using System;
using System.Threading;
using System.Threading.Tasks;

namespace Signet.Client.Sessions;

/// <summary>
/// The time limit of one call. The caller gets control back at the limit even if something below doesn't react to its
/// cancellation token.
/// </summary>
internal sealed class Deadline : IDisposable
{
    private const int Open = 0;
    private const int Committed = 1;
    private const int Abandoned = 2;
    private readonly CancellationTokenSource _source;
    private int _state;

    private Deadline(CancellationToken caller, CancellationToken closing)
    {
        _source = CancellationTokenSource.CreateLinkedTokenSource(caller, closing);
        Token = _source.Token;
    }

    /// <summary>Canceled at the limit, by the caller, and when the client is closed.</summary>
    internal CancellationToken Token { get; }

    /// <summary>
    /// Decides that the work takes effect. False if the caller has already been told that it failed.
    /// </summary>
    internal bool TryCommit() => Interlocked.CompareExchange(ref _state, Committed, Open) != Abandoned;

    public void Dispose() => _source.Dispose();

    /// <exception cref="SignetException"><c>NETWORK</c> at the limit, and what the work throws.</exception>
    /// <exception cref="OperationCanceledException">The caller canceled, or the client was closed.</exception>
    internal static async Task<T> RunAsync<T>(
        Clock clock,
        TimeSpan limit,
        Func<Deadline, Task<T>> work,
        CancellationToken caller,
        CancellationToken closing)
    {
        caller.ThrowIfCancellationRequested();
        Deadline deadline = new(caller, closing);
        using CancellationTokenSource timer = new();
        Task expiry = clock.Delay(limit, timer.Token);
        TaskCompletionSource<bool> canceled = new(TaskCreationOptions.RunContinuationsAsynchronously);
        using CancellationTokenRegistration registration = deadline.Token.Register(() => canceled.TrySetResult(true));

        // Not on the caller's thread: hashing a file or looking up a name would freeze a window.
        Task<T> running = Task.Run(() => work(deadline), CancellationToken.None);
        try
        {
            Task first = await Task.WhenAny(running, expiry, canceled.Task).ConfigureAwait(false);
            if (first == running || !deadline.TryAbandon())
            {
                return await running.ConfigureAwait(false);
            }
        }
        catch (Exception error) when (
            deadline.Token.IsCancellationRequested && error is not SignetException { Status: > 0 })
        {
            throw Canceled(caller, error);
        }
        finally
        {
            timer.Cancel();
            _ = running.ContinueWith(
                finished =>
                {
                    _ = finished.Exception;
                    deadline.Dispose();
                },
                CancellationToken.None,
                TaskContinuationOptions.ExecuteSynchronously,
                TaskScheduler.Default);
        }

        if (deadline.Token.IsCancellationRequested)
        {
            throw Canceled(caller, null);
        }

        deadline.Cancel();
        throw new SignetException(SignetCode.Network, $"The server didn't answer within {limit.TotalSeconds:0.###} s.");
    }

    private static OperationCanceledException Canceled(CancellationToken caller, Exception? inner) =>
        caller.IsCancellationRequested
            ? new OperationCanceledException("The call was canceled.", inner, caller)
            : new OperationCanceledException("The client was closed during the call.", inner);

    private bool TryAbandon() => Interlocked.CompareExchange(ref _state, Abandoned, Open) == Open;

    private void Cancel()
    {
        try
        {
            _source.Cancel();
        }
        catch (ObjectDisposedException)
        {
            // The work ended in the same moment.
        }
    }
}
