using System;
using System.Collections.Generic;
using System.Net;
using System.Security.Cryptography.X509Certificates;

namespace Signet.Client;

/// <summary>
/// The settings of a <see cref="SignetClient"/>. The client copies them when it is created. The dashboard shows the
/// first six under <b>App Settings</b>.
/// </summary>
public sealed class SignetOptions
{
    /// <summary>The seller's ID: 10 letters and digits. Required.</summary>
    public string OwnerId { get; set; } = string.Empty;

    /// <summary>The name of the app. Required.</summary>
    public string AppName { get; set; } = string.Empty;

    /// <summary>The version of your program. Required.</summary>
    public string Version { get; set; } = string.Empty;

    /// <summary>
    /// The address of the server, such as <c>https://signet.example.com</c>, without a path. Required.
    /// </summary>
    public string ServerUrl { get; set; } = string.Empty;

    /// <summary>The public key that verifies answers: 43 characters. Safe to publish. Required.</summary>
    public string VerificationKey { get; set; } = string.Empty;

    /// <summary>The public key that requests are sealed to: 43 characters. Safe to publish. Required.</summary>
    public string SealingKey { get; set; } = string.Empty;

    /// <summary>The hash of the program file that is sent to the server; null for none.</summary>
    public ProgramHash? ProgramHash { get; set; }

    /// <summary>
    /// SHA-256 fingerprints of the server's TLS certificate in hexadecimal, colons allowed: the current one and the
    /// next. They are checked in addition to the usual checks. A renewed certificate that isn't listed locks out every
    /// customer.
    /// </summary>
    public IList<string> Fingerprints { get; } = new List<string>();

    /// <summary>
    /// Whether request bodies are encrypted for the app, so that a TLS-inspecting proxy can't read them.
    /// </summary>
    public bool SealRequests { get; set; }

    /// <summary>How long a call may take in all. 15 seconds by default.</summary>
    public TimeSpan Timeout { get; set; } = TimeSpan.FromSeconds(15);

    /// <summary>The time between background heartbeats, ±10 %; null or zero for none. 60 seconds by default.</summary>
    public TimeSpan? HeartbeatInterval { get; set; } = TimeSpan.FromSeconds(60);

    /// <summary>
    /// How long the server can be out of reach, in addition to the heartbeat interval, until
    /// <see cref="SignetClient.IsValid"/> turns false. More than 0; 180 seconds by default.
    /// </summary>
    public TimeSpan Grace { get; set; } = TimeSpan.FromSeconds(180);

    /// <summary>Your own machine ID, sent instead of <see cref="HardwareId.OfThisMachine"/>.</summary>
    public string? Hwid { get; set; }

    /// <summary>
    /// The proxy; null for the settings of the system. A server on this machine is never asked by proxy.
    /// </summary>
    public IWebProxy? Proxy { get; set; }

    /// <summary>Your own certificate authority. If it is set, no other authority is trusted.</summary>
    public X509Certificate2? CertificateAuthority { get; set; }

    /// <summary>Whether <c>http://</c> is allowed for a server that isn't on this machine.</summary>
    public bool AllowHttp { get; set; }

    /// <summary>The language of <see cref="SignetException.CustomerMessage"/>. English by default.</summary>
    public SignetLanguage Language { get; set; }

    /// <summary>Your own sentences for customers; return null for the one that the package comes with.</summary>
    public Func<SignetException, string?>? CustomerMessages { get; set; }

    /// <summary>
    /// Called once when the server ended the session: a ban, an expired subscription. Callbacks run on the
    /// <see cref="System.Threading.SynchronizationContext"/> on which the client was created, if there was one, so a
    /// window or a scene can be changed in them; else on the thread pool. An exception that a callback throws is
    /// written to <see cref="System.Diagnostics.Trace"/> and ends nothing; an <c>async</c> callback must catch its own.
    /// </summary>
    public Action<SignetException>? OnLost { get; set; }

    /// <summary>Called when <see cref="SignetClient.IsValid"/> turns false because the server can't be heard.</summary>
    public Action<SignetException>? OnInterrupted { get; set; }

    /// <summary>Called when the server is heard again after <see cref="OnInterrupted"/>.</summary>
    public Action? OnResumed { get; set; }
}
