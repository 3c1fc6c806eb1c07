using System;
using System.Collections.Generic;

namespace Signet.Client;

/// <summary>The one exception of this package, except for cancellation and for wrong use of the class.</summary>
public sealed class SignetException : Exception
{
    private static readonly Dictionary<string, object?> NoDetails = new();
    private string? _customerMessage;

    internal SignetException(SignetCode code, string message, Exception? inner = null)
        : base(message, inner)
    {
        Code = code;
        CodeText = SignetCodes.TextOf(code);
        Details = NoDetails;
    }

    internal SignetException(
        string codeText, string message, int status, IReadOnlyDictionary<string, object?> details)
        : base(message)
    {
        Code = SignetCodes.Find(codeText)?.Code ?? SignetCode.Unknown;
        CodeText = codeText;
        Status = status;
        Details = details;
    }

    /// <summary>The code for your program; <see cref="SignetCode.Unknown"/> if a newer server sent a new one.</summary>
    public SignetCode Code { get; }

    /// <summary>The code as text, such as <c>LICENSE_BANNED</c>, also if this version doesn't know it.</summary>
    public string CodeText { get; }

    /// <summary>The HTTP status of a signed error; 0 for an error of the client itself.</summary>
    public int Status { get; }

    /// <summary>The other fields of a signed error: text, long, double, bool, null, lists, and dictionaries.</summary>
    public IReadOnlyDictionary<string, object?> Details { get; }

    /// <summary>
    /// A sentence that you can show to your customer, in <see cref="SignetOptions.Language"/>. The server's own English
    /// <see cref="Exception.Message"/> stands in for a code that this version doesn't know.
    /// </summary>
    public string CustomerMessage
    {
        get => _customerMessage ?? SignetMessages.Find(CodeText, SignetLanguage.English) ?? Message;
        internal set => _customerMessage = value;
    }

    /// <summary>The number under which the seller finds a signed error in the log.</summary>
    public string? RequestId => DetailText("requestId");

    /// <summary>The link to the newer version, if the code is <c>VERSION_OUTDATED</c> and the seller set one.</summary>
    public string? DownloadUrl => DetailText("downloadUrl");

    /// <summary>How long the server asks you to wait; null if it doesn't say.</summary>
    public TimeSpan? RetryAfter
    {
        get
        {
            double seconds = Details.TryGetValue("retryAfterSeconds", out object? value)
                ? value switch { long number => number, double number => number, _ => 0 }
                : 0;
            return seconds > 0 && seconds < MaxWaitSeconds ? TimeSpan.FromSeconds(seconds) : null;
        }
    }

    /// <summary>Whether the error says nothing about the license, so that asking again later makes sense.</summary>
    public bool IsTemporary => Verdict is Verdict.Temporary or Verdict.Unverified;

    internal Verdict Verdict
    {
        get
        {
            if (Status == 429 || Status >= 500)
            {
                return Verdict.Temporary;
            }

            // Codes that the client raises by itself end no session, and a signed answer comes from the server.
            Verdict known = SignetCodes.Find(CodeText)?.Verdict ?? Verdict.Request;
            return known == (Status == 0 ? Verdict.Lost : Verdict.Unverified) ? Verdict.Request : known;
        }
    }

    /// <summary>Whether a new request with the corrected clock can succeed.</summary>
    internal bool IsClockCorrected { get; set; }

    /// <summary>Whether something else stands where the bytes of a file should be, so that asking again doesn't help.</summary>
    internal bool IsNotTheFile { get; set; }

    private static double MaxWaitSeconds => TimeSpan.FromDays(365).TotalSeconds;

    /// <inheritdoc/>
    public override string ToString() => $"{CodeText}: {base.ToString()}";

    private string? DetailText(string name) =>
        Details.TryGetValue(name, out object? value) && value is string { Length: > 0 } text ? text : null;
}
