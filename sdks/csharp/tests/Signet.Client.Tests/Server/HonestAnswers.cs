using System;
using System.Collections.Concurrent;
using System.Text.Json;
using Signet.Client.Protocol;

namespace Signet.Client.Tests;

/// <summary>What a real server would answer.</summary>
internal sealed class HonestAnswers(ManualClock clock)
{
    private static readonly TimeSpan ClockTolerance = TimeSpan.FromSeconds(120);
    private readonly ConcurrentDictionary<string, bool> _sessions = new();
    private readonly ConcurrentDictionary<string, bool> _nonces = new();
    private readonly ConcurrentDictionary<string, string> _variables = new();

    /// <summary>How far the server's clock is ahead of the client's.</summary>
    internal TimeSpan ClockLead { get; set; }

    /// <summary>The length of sessions.</summary>
    internal TimeSpan SessionLength { get; set; } = TimeSpan.FromHours(1);

    internal string User { get; set; } = """
        {"username":"alice","email":"","subscriptions":[{"level":2,"name":"Pro","expiresAt":null}],"createdAt":1700000000,"lastLoginAt":1700000001}
        """.Trim();

    /// <summary>As after a restart, or when all sessions have ended.</summary>
    internal void ForgetSessions() => _sessions.Clear();

    internal Answer To(string name, SignetRequest request, JsonElement fields)
    {
        long nowMs = clock.UnixMs + (long)ClockLead.TotalMilliseconds;
        if (Math.Abs(long.Parse(request.Time) - nowMs) > ClockTolerance.TotalMilliseconds)
        {
            return Answer.Error(400, "CLOCK_SKEW");
        }

        if (!_nonces.TryAdd(request.Nonce, true))
        {
            return Answer.Error(409, "NONCE_REUSED");
        }

        long expiresAt = nowMs / 1000 + (long)SessionLength.TotalSeconds;
        if (name == "init")
        {
            string token = Base64Url.Encode(Wire.RandomBytes(32));
            _sessions[token] = false;
            return Answer.Success(
                $$"""
                "session":"{{token}}","expiresAt":{{expiresAt}},"app":{"name":"My App","version":"1.0","webloaderUrl":null}
                """.Trim());
        }

        if (request.Session is null || !_sessions.TryGetValue(request.Session, out bool isSignedIn))
        {
            return Answer.Error(401, request.Session is null ? "SESSION_REQUIRED" : "SESSION_ENDED");
        }

        switch (name)
        {
            case "logout":
                _sessions.TryRemove(request.Session, out _);
                return Answer.Success(string.Empty);
            case "license" or "login" or "register":
                _sessions[request.Session] = true;
                return Session(expiresAt);
            case "variable":
                return Answer.Success($"\"name\":\"x\",\"value\":\"of the app\"");
            case "log" or "request-password-reset":
                return Answer.Success(string.Empty);
            case "call-webhook":
                string echo = JsonSerializer.Serialize(fields.GetProperty("params").GetRawText());
                return Answer.Success($"\"status\":202,\"body\":{echo}");
            case "download":
                return Answer.Error(404, "DOWNLOAD_NOT_FOUND");
            default:
                return isSignedIn ? ToSignedIn(name, fields, expiresAt) : Answer.Error(403, "NOT_SIGNED_IN");
        }
    }

    private Answer ToSignedIn(string name, JsonElement fields, long expiresAt)
    {
        switch (name)
        {
            case "set-user-variable":
                _variables[fields.GetProperty("name").GetString()!] = fields.GetProperty("value").GetString()!;
                return Answer.Success(string.Empty);
            case "user-variable":
                return _variables.TryGetValue(fields.GetProperty("name").GetString()!, out string? value)
                    ? Answer.Success($"\"name\":\"x\",\"value\":{JsonSerializer.Serialize(value)}")
                    : Answer.Error(404, "VARIABLE_NOT_FOUND");
            case "change-password":
                return Answer.Success(string.Empty);
            default:
                return Session(expiresAt);
        }
    }

    private Answer Session(long expiresAt) => Answer.Success($"\"user\":{User},\"expiresAt\":{expiresAt}");
}
