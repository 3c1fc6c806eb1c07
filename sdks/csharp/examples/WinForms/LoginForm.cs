using System;
using System.Drawing;
using System.Windows.Forms;

namespace Signet.Client.Examples;

/// <summary>A window that asks for a license key, and closes the program's work when the license ends.</summary>
internal sealed class LoginForm : Form
{
    private readonly SignetOptions _options;
    private readonly TextBox _key = new() { Width = 260 };
    private readonly Button _signIn = new() { Text = "Sign in", AutoSize = true };
    private readonly Label _message = new() { AutoSize = true, MaximumSize = new Size(360, 0) };
    private SignetClient? _client;

    internal LoginForm(SignetOptions options)
    {
        _options = options;
        Text = "Sign in";
        ClientSize = new Size(400, 120);
        FlowLayoutPanel panel = new() { Dock = DockStyle.Fill, Padding = new Padding(12) };
        Label label = new() { Text = "License key", AutoSize = true };
        panel.Controls.AddRange(new Control[] { label, _key, _signIn, _message });
        Controls.Add(panel);
        AcceptButton = _signIn;
        _signIn.Click += OnSignIn;
        FormClosed += (_, _) => _client?.Dispose();
    }

    // The callbacks run on the window's thread because the client is created on it.
    private SignetClient CreateClient()
    {
        _options.OnLost = error => ShowSignedOut(error.CustomerMessage);
        _options.OnInterrupted = _ => _message.Text = "The license server can't be reached. Trying again…";
        _options.OnResumed = () => _message.Text = "Connected again.";
        return new SignetClient(_options);
    }

    private async void OnSignIn(object? sender, EventArgs e)
    {
        _signIn.Enabled = false;
        try
        {
            _client ??= CreateClient();
            SignetSession session = await _client.LicenseAsync(_key.Text);
            _key.Enabled = false;
            _message.Text = $"Welcome, {session.Username}.";
        }
        catch (SignetException error)
        {
            ShowSignedOut(error.CustomerMessage);
        }
        catch (OperationCanceledException)
        {
            // The window was closed during the sign-in.
        }
    }

    private void ShowSignedOut(string message)
    {
        _message.Text = message;
        _key.Enabled = true;
        _signIn.Enabled = true;
    }
}
