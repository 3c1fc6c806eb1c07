using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Threading;

namespace Signet.Client.Sessions;

/// <summary>
/// Runs the program's callbacks one after the other: on the given synchronization context, else on the thread pool.
/// Never on the thread that posts, which may hold a lock. What they throw goes to <see cref="Trace"/>: on these threads,
/// it would end the program.
/// </summary>
internal sealed class EventQueue(SynchronizationContext? context)
{
    private readonly Queue<Action> _waiting = new();
    private bool _isRunning;

    internal void Post(Action callback)
    {
        if (TryPostToContext(callback))
        {
            return;
        }

        lock (_waiting)
        {
            _waiting.Enqueue(callback);
            if (_isRunning)
            {
                return;
            }

            _isRunning = true;
        }

        ThreadPool.QueueUserWorkItem(_ => Run());
    }

    /// <summary>False also if its thread has ended, such as that of a splash screen.</summary>
    private bool TryPostToContext(Action callback)
    {
        try
        {
            if (context != null)
            {
                context.Post(_ => Call(callback), null);
                return true;
            }
        }
        catch (Exception error)
        {
            Trace.TraceError($"Signet: a callback runs on the thread pool: {error}");
        }

        return false;
    }

    private void Run()
    {
        while (true)
        {
            Action callback;
            lock (_waiting)
            {
                if (_waiting.Count == 0)
                {
                    _isRunning = false;
                    return;
                }

                callback = _waiting.Dequeue();
            }

            Call(callback);
        }
    }

    private static void Call(Action callback)
    {
        try
        {
            callback();
        }
        catch (Exception error)
        {
            Trace.TraceError($"Signet: a callback failed: {error}");
        }
    }
}
