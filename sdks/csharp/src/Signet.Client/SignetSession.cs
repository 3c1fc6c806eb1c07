using System;
using System.Collections.Generic;
using System.Text.Json;
using Signet.Client.Protocol;

namespace Signet.Client;

/// <summary>A signed-in session, as the server described it last. All times are UTC.</summary>
public sealed class SignetSession
{
    private SignetSession(SignetUser user, DateTimeOffset expiresAt)
    {
        User = user;
        ExpiresAt = expiresAt;
    }

    /// <summary>The customer.</summary>
    public SignetUser User { get; }

    /// <summary>The end of the session, which heartbeats extend; not the end of the license.</summary>
    public DateTimeOffset ExpiresAt { get; }

    /// <summary>The customer's name; the license key itself if the customer signed in with a key alone.</summary>
    public string Username => User.Username;

    /// <summary>The customer's email address, if there is one.</summary>
    public string? Email => User.Email;

    /// <summary>What the customer bought and may use now.</summary>
    public IReadOnlyList<SignetSubscription> Subscriptions => User.Subscriptions;

    internal static SignetSession Read(JsonElement fields) => new(
        SignetUser.Read(ReplyJson.Object(fields, "user")),
        ReplyJson.OptionalTime(fields, "expiresAt") ?? throw ReplyJson.Malformed("expiresAt"));
}

/// <summary>The customer. All times are UTC.</summary>
public sealed class SignetUser
{
    private SignetUser(JsonElement fields, IReadOnlyList<SignetSubscription> subscriptions)
    {
        Username = ReplyJson.Text(fields, "username");
        string? email = ReplyJson.OptionalText(fields, "email");
        Email = string.IsNullOrEmpty(email) ? null : email;
        Subscriptions = subscriptions;
        CreatedAt = ReplyJson.OptionalTime(fields, "createdAt");
        LastLoginAt = ReplyJson.OptionalTime(fields, "lastLoginAt");
    }

    /// <summary>The customer's name.</summary>
    public string Username { get; }

    /// <summary>The customer's email address, if there is one.</summary>
    public string? Email { get; }

    /// <summary>What the customer bought and may use now.</summary>
    public IReadOnlyList<SignetSubscription> Subscriptions { get; }

    /// <summary>When the customer signed in or registered for the first time.</summary>
    public DateTimeOffset? CreatedAt { get; }

    /// <summary>When the customer signed in last.</summary>
    public DateTimeOffset? LastLoginAt { get; }

    internal static SignetUser Read(JsonElement fields)
    {
        if (!fields.TryGetProperty("subscriptions", out JsonElement items) || items.ValueKind != JsonValueKind.Array)
        {
            throw ReplyJson.Malformed("subscriptions");
        }

        List<SignetSubscription> subscriptions = new();
        foreach (JsonElement item in items.EnumerateArray())
        {
            subscriptions.Add(SignetSubscription.Read(item));
        }

        return new SignetUser(fields, subscriptions.AsReadOnly());
    }
}

/// <summary>What a customer bought.</summary>
public sealed class SignetSubscription
{
    private SignetSubscription(int level, string name, DateTimeOffset? expiresAt)
    {
        Level = level;
        Name = name;
        ExpiresAt = expiresAt;
    }

    /// <summary>The number of the level.</summary>
    public int Level { get; }

    /// <summary>The name of the level.</summary>
    public string Name { get; }

    /// <summary>The end of the subscription in UTC; null for a lifetime.</summary>
    public DateTimeOffset? ExpiresAt { get; }

    internal static SignetSubscription Read(JsonElement fields)
    {
        if (fields.ValueKind != JsonValueKind.Object)
        {
            throw ReplyJson.Malformed("subscriptions");
        }

        return new SignetSubscription(
            ReplyJson.SmallInteger(fields, "level"),
            ReplyJson.Text(fields, "name"),
            ReplyJson.OptionalTime(fields, "expiresAt"));
    }
}
