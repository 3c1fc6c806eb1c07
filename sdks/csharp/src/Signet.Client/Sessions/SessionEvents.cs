using System;
using System.Threading;

namespace Signet.Client.Sessions;

/// <summary>The program's callbacks, in order.</summary>
internal sealed class SessionEvents(SignetOptions options, CustomerMessages messages)
{
    private readonly Action<SignetException>? _onLost = options.OnLost;
    private readonly Action<SignetException>? _onInterrupted = options.OnInterrupted;
    private readonly Action? _onResumed = options.OnResumed;
    private readonly EventQueue _queue = new(SynchronizationContext.Current);

    internal void RaiseLost(SignetException error) => Raise(_onLost, error);

    internal void RaiseInterrupted(SignetException error) => Raise(_onInterrupted, error);

    internal void RaiseResumed()
    {
        if (_onResumed != null)
        {
            _queue.Post(_onResumed);
        }
    }

    private void Raise(Action<SignetException>? callback, SignetException error)
    {
        if (callback != null)
        {
            _queue.Post(() => callback(messages.Translate(error)));
        }
    }
}
